import Core
import Crypto
import Traffic
import Wire

/// Activation data by itself, as the wallet holds it against card, nonce and issuer. What the context does not know is told
/// as not checked; the rest is checked all the same.
struct ActivationDataExplanation: Sendable {
    static let explanation = Explanation("activation-data") { text, explainer in
        try await ActivationDataExplanation(explainer: explainer).checks(text)
    }

    let explainer: Explainer
    private var context: ExplainContext { explainer.context }

    /// - Throws: ``Refusal`` when the context names what there is not.
    private func checks(_ text: String) async throws -> [Check] {
        let found = try await world()
        let read = ActivationDataField.read(text, strictness: found.strictness)
        guard let bytes = read.value else { return read.checks }
        guard let network = context.network ?? found.session?.network else {
            return read.checks + [Self.notChecked("activationData.network", ["network"])]
        }
        // Visa's value holds neither number nor expiry, and only Mastercard's holds an expiry.
        var missing: [String] = []
        if context.pan == nil, network != .visa { missing.append("pan") }
        if context.expiry == nil, network == .mastercard { missing.append("exp") }
        let issuer = found.named ?? (try? found.owner?.get())
        let nonce = context.nonce ?? found.session?.nonce
        guard let pan = context.pan ?? PAN("000000000000"),
            let expiry = context.expiry ?? CardExpiry(month: 1, year: 2_000)
        else { return read.checks }
        let subject = ActivationDataContext(
            network: network,
            pan: pan,
            expiry: expiry,
            nonce: nonce ?? [],
            // Without a nonce the value is for a pass that exists, where one over the number alone is good too.
            allowsMissingNonce: nonce == nil,
            tokenID: nil,
            networkKeys: issuer?.networkKeys ?? Self.noKeys,
            now: found.now,
            strictness: issuer?.strictness(tenant: found.strictness) ?? found.strictness
        )
        let made = await explainer.services.lane.run { [tavKey = explainer.services.keyring.tavKey] in
            ActivationData.verify(bytes, subject, tshKey: tavKey.publicKey)
        }
        var checks = read.checks + made
        if issuer == nil {
            let known = checks.filter { !Self.needsKeys($0) }
            if known.count < checks.count { checks = known + [issuerUnclear(found)] }
        }
        if !missing.isEmpty, let open = checks.first(where: Self.needsCard) {
            checks = checks.filter { !Self.needsCard($0) } + [Self.notChecked(open.name, missing)]
        } else if issuer == nil, !missing.isEmpty, made.contains(where: Self.needsCard) {
            checks.append(Self.notChecked("activationData", missing))
        }
        return checks
    }

    private struct ActivationWorld: Sendable {
        let session: ProvisioningSession?
        /// The issuer that the context names.
        let named: Issuer?
        /// The issuer of the number, if a single one owns it.
        let owner: Result<Issuer, IssuerResolutionFault>?
        let now: Instant
        let strictness: Strictness
    }

    private func world() async throws -> ActivationWorld {
        let (sessionID, issuerID, pan) = (context.sessionID, context.issuerID, context.pan)
        let found = try await explainer.read { view in
            ActivationWorld(
                session: try sessionID.flatMap { try view.store.record(ProvisioningSession.self, $0) },
                named: try issuerID.flatMap { try view.store.record(Issuer.self, $0) },
                owner: try pan.flatMap { try view.owner(of: $0).map(\.issuer) },
                now: view.now,
                strictness: view.tenant.settings.strictness
            )
        }
        if sessionID != nil, found.session == nil { throw context.refusal("sessionId", ExplainFault.sessionUnknown) }
        if issuerID != nil, found.named == nil { throw context.invalid("issuerId", "an issuer that exists") }
        if let pan, let network = context.network ?? found.session?.network {
            let wrong = explainer.rules(found.strictness).checks(of: pan, network: network, subject: "context.pan")
            if let check = wrong.first(where: { !$0.passed }) { throw context.refusal("pan", check) }
        }
        return found
    }

    private func issuerUnclear(_ found: ActivationWorld) -> Check {
        var evidence: String?
        if case .failure(.ambiguous(let issuers))? = found.owner {
            evidence = "the number is of \(issuers.joined(separator: ", "))"
        }
        return .failed("context.issuerId", ExplainFault.issuerUnclear, evidence: evidence)
    }

    private static func notChecked(_ name: String, _ missing: [String]) -> Check {
        .failed(name, ExplainFault.notChecked, evidence: "not in the context: \(missing.joined(separator: ", "))")
    }

    /// A check whose outcome depends on the card's number or expiry.
    private static func needsCard(_ check: Check) -> Bool {
        if check.passed { return ["activationData.signature", "activationData.mac"].contains(check.name) }
        return [ActivationDataFault.tavSignature, .macMismatch, .macWithoutNonce].contains { $0.code == check.code }
    }

    /// A check whose outcome depends on the issuer's keys.
    private static func needsKeys(_ check: Check) -> Bool {
        if check.passed, check.name == "activationData.nonce" { return true }
        let faults: [ActivationDataFault] = [
            .tavAliasUnknown, .visaKeySet, .visaNotOpened, .visaNonce, .visaNonceAbsent,
        ]
        return needsCard(check) || faults.contains { $0.code == check.code }
    }

    /// Stand where keys are wanted and none are looked at.
    private static let noKeys = NetworkKeys(
        mastercard: [],
        visa: NetworkKeys.VisaKey(keySetID: "", key: [UInt8](repeating: 0, count: 16)),
        amex: [UInt8](repeating: 0, count: 32),
        discover: [UInt8](repeating: 0, count: 32)
    )
}
