import Core
import Crypto
import Masking
import Networks
import Traffic
import Web
import Wire

/// Runs the verifiers of the faces over one value and tells every check. It reads the tenant's world: its clock,
/// settings, issuers and keys. It changes nothing: no `jti`, session, binding or code is spent, nothing is drawn.
struct Explainer: Sendable {
    let services: Services
    let tenant: TenantName
    let context: ExplainContext

    /// - Throws: ``Refusal`` when the request itself cannot be understood.
    static func checks(_ request: ExplainRequest, services: Services, tenant: TenantName) async throws -> [Check] {
        let explainer = Explainer(services: services, tenant: tenant, context: request.context)
        return switch request.kind {
        case .pkcs7: try await explainer.payload(request.text)
        case .jws: try await explainer.jws(request.text)
        case .jwe: try await explainer.jwe(request.text)
        case .pass: try await explainer.pass(request.value)
        case .activationData: try await explainer.activationData(request.text)
        case .oauth1, .xPayToken, .amexMAC: throw Refusal(.failed("body.kind", ExplainFault.kindNotServed))
        }
    }

    /// Rules for card numbers under a strictness.
    func rules(_ strictness: Strictness) -> CardNumberRules {
        CardNumberRules(policy: services.worlds.environment.panPolicy, strictness: strictness)
    }

    /// The check of an issuer that the context names, as the TPC face makes it.
    static func check(_ issuer: Issuer?, named id: String) -> Check {
        issuer == nil
            ? .failed("issuer", TPCFault.issuerUnknown, evidence: Masking.excerpt(id, 16)) : .passed("issuer")
    }
}
