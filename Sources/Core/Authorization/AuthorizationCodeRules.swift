import Crypto
import Masking
import Wire

/// The claim rules of an authorization code (thales-push-provisioning 1.3 to 1.5).
struct AuthorizationCodeRules {
    let claims: JSON
    private(set) var checks: [Check]
    private(set) var usableUntil: Instant?

    init(claims: JSON, checks: [Check]) {
        self.claims = claims
        self.checks = checks
    }

    /// - Parameter leeway: of every time claim, in seconds.
    mutating func check(
        issuerID: String,
        purpose: AuthorizationCode.Purpose,
        now: Instant,
        strictness: Strictness,
        leeway: Int64
    ) {
        checkIssuer(issuerID)
        checkAudience(strictness)
        checkSubject(purpose)
        checkIdentifier()
        let times = TimeClaims(
            leeway: leeway,
            // `iat` is documented as mandatory; a lenient issuer may leave it out.
            requiresIat: strictness != .lenient,
            longLife: strictness == .strict ? .refused : .warned
        )
        checks.append(contentsOf: times.check(claims, now: now, field: AuthorizationCode.field))
        usableUntil = times.usableUntil(claims)
    }

    private mutating func checkIssuer(_ issuerID: String) {
        guard let text = string("iss", .issuerMissing) else { return }
        if text == issuerID {
            pass("iss")
        } else {
            fail("iss", .issuerMismatch, "iss is \(Masking.excerpt(text, 40)), the path names \(issuerID)")
        }
    }

    /// The four networks' tokens here are Apple Pay's.
    private mutating func checkAudience(_ strictness: Strictness) {
        let wanted = TokenRequestor.appleAudience
        // Some libraries write a list whatever they are given.
        if strictness == .lenient, let list = claims["aud"]?.array, list == [.string(wanted)] {
            let name = "\(AuthorizationCode.field).aud"
            return checks.append(.warning(name, AuthorizationCodeFault.claimType, evidence: "a list of one text"))
        }
        guard let text = string("aud", .audienceMissing) else { return }
        if text == wanted {
            pass("aud")
        } else if TokenRequestor.isAudience(text) {
            fail("aud", .audienceMismatch, "aud is \(text); wanted \(wanted)")
        } else {
            fail("aud", .audienceUnknown, "aud is \(Masking.excerpt(text, 40)); wanted \(wanted)")
        }
    }

    private mutating func checkSubject(_ purpose: AuthorizationCode.Purpose) {
        guard let text = string("sub", .subjectMissing) else { return }
        guard case .lifecycle(let tokenID?) = purpose else { return }
        if text.hasSameBytes(as: tokenID) {
            pass("sub")
        } else if Self.looksLikeTokenID(text) {
            fail(
                "sub",
                .subjectOtherToken,
                "sub is \(Masking.excerpt(text, 64)), tokenId is \(Masking.excerpt(tokenID, 64))"
            )
        } else {
            fail("sub", .subjectIsCardReference, "sub is \(Masking.excerpt(text, 64)); wanted the token id")
        }
    }

    private mutating func checkIdentifier() {
        guard let value = claims["jti"] else { return }
        guard let text = value.string, (1...128).contains(text.utf8.count), !Masking.holdsCardNumber(text) else {
            fail("jti", .identifierForm, value.typeName)
            return
        }
        pass("jti.form")
    }

    /// A mandatory claim of type string.
    private mutating func string(_ claim: String, _ missing: AuthorizationCodeFault) -> String? {
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

    /// True for references in the shape of a network's token ids.
    static func looksLikeTokenID(_ text: String) -> Bool {
        ["DNITHE", "DAPLMC", "DWSPMC", "AXTR", "DSTR"].contains { text.hasPrefix($0) } && text.utf8.count >= 24
    }

    private mutating func pass(_ rule: String) { checks.append(.passed("\(AuthorizationCode.field).\(rule)")) }

    private mutating func fail(_ rule: String, _ fault: AuthorizationCodeFault, _ evidence: String? = nil) {
        checks.append(.failed("\(AuthorizationCode.field).\(rule)", fault, evidence: evidence))
    }
}
