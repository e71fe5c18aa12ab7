import Core
import Crypto
import Masking
import Wire

/// The claim rules of an issuer token, in the order of thales-push-provisioning 2.2.
struct IssuerTokenRules {
    private let claims: JSON
    private let field: String
    private(set) var checks: [Check]
    private(set) var consumerIDs: [String] = []
    private(set) var identifier: String?
    private(set) var usableUntil: Instant?

    init(claims: JSON, field: String, checks: [Check]) {
        self.claims = claims
        self.field = field
        self.checks = checks
    }

    /// - Parameter leeway: of every time claim, in seconds.
    mutating func check(issuer: Issuer?, now: Instant, strictness: Strictness, leeway: Int64) {
        checkIssuer(issuer)
        checkSubject()
        if let issuer {
            checkAudience(issuer.d1Audience)
            checkScope(issuer.d1Scopes)
        }
        let times = TimeClaims(
            leeway: leeway,
            requiresIat: strictness != .lenient,
            // Seven days were seen in the field: long lives are told, not refused.
            longLife: strictness == .strict ? .refused : .warned
        )
        checks.append(contentsOf: times.check(claims, now: now, field: field))
        usableUntil = times.usableUntil(claims)
        checkIdentifier()
    }

    private mutating func checkIssuer(_ issuer: Issuer?) {
        guard let text = string("iss", .issuerMissing) else { return }
        if issuer == nil {
            fail("iss", .issuerUnknown, "iss is \(Masking.excerpt(text, 80))")
        } else {
            pass("iss")
        }
    }

    private mutating func checkSubject() {
        guard let text = string("sub", .subjectMissing) else { return }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 16, parts.allSatisfy(Consumer.isConsumerID), Set(parts).count == parts.count else {
            fail("sub", .subjectForm, "\(text.utf8.count) characters")
            return
        }
        consumerIDs = parts
        pass("sub")
    }

    /// A text, or a list of texts of which one must be right.
    private mutating func checkAudience(_ wanted: [String]) {
        guard let value = claims["aud"], !value.isNull else { return fail("aud", .audienceMissing) }
        let texts = value.string.map { [$0] } ?? value.array?.compactMap(\.string) ?? []
        let isList = value.array.map { $0.count == texts.count } ?? (value.string != nil)
        guard isList, !texts.isEmpty else { return fail("aud", .claimType, "aud is a JSON \(value.typeName)") }
        guard texts.contains(where: wanted.contains) else {
            let found = texts.prefix(4).map { Masking.excerpt($0, 80) }.joined(separator: ", ")
            return fail("aud", .audienceMismatch, "aud is \(found); wanted \(wanted.joined(separator: " or "))")
        }
        pass("aud")
    }

    private mutating func checkScope(_ wanted: [String]) {
        guard let text = string("scope", .scopeMissing) else { return }
        let values = text.split(separator: " ").map(String.init)
        let unknown = values.filter { !wanted.contains($0) }.prefix(4).map { Masking.excerpt($0, 40) }
        guard values.contains(where: wanted.contains) else {
            let found = unknown.joined(separator: " ")
            return fail("scope", .scopeUnknown, "scope is \(found); wanted \(wanted.joined(separator: " or "))")
        }
        if unknown.isEmpty {
            pass("scope")
        } else {
            let evidence = unknown.joined(separator: " ")
            checks.append(.warning("\(field).scope", IssuerTokenFault.scopeIgnored, evidence: evidence))
        }
    }

    private mutating func checkIdentifier() {
        guard let value = claims["jti"], !value.isNull else { return fail("jti", .identifierMissing) }
        guard let text = value.string, (1...128).contains(text.utf8.count) else {
            checks.append(.failed("\(field).jti", TokenIdentifierFault.form, evidence: value.typeName))
            return
        }
        identifier = text
        pass("jti.form")
    }

    private mutating func string(_ claim: String, _ missing: IssuerTokenFault) -> String? {
        guard let value = claims[claim], !value.isNull else {
            fail(claim, missing)
            return nil
        }
        guard let text = value.string else {
            fail(claim, .claimType, "\(claim) is a JSON \(value.typeName)")
            return nil
        }
        return text
    }

    private mutating func pass(_ rule: String) { checks.append(.passed("\(field).\(rule)")) }

    private mutating func fail(_ rule: String, _ fault: IssuerTokenFault, _ evidence: String? = nil) {
        checks.append(.failed("\(field).\(rule)", fault, evidence: evidence))
    }
}

extension Issuer {
    /// Values of `aud` that D1 takes; the convention when none is configured (thales-push-provisioning 2.2).
    var d1Audience: [String] {
        let configured = JSON.object(extras)["d1"]?["audience"]
        let values = configured?.string.map { [$0] } ?? configured?.array?.compactMap(\.string) ?? []
        return values.isEmpty ? [Issuer.usualD1Audience(issuerID)] : values
    }

    static func usualD1Audience(_ issuerID: String) -> String { "https://d1.sandbox.test/oidc/\(issuerID)" }
    static let usualD1Scope = "digibank:mobilebanking"

    /// Values of `scope` that were agreed with D1.
    var d1Scopes: [String] {
        let values = JSON.object(extras)["d1"]?["scopes"]?.array?.compactMap(\.string) ?? []
        return values.isEmpty ? [Issuer.usualD1Scope] : values
    }
}
