import Traffic
import Web
import Wire

/// Operations of the SDK that are documented and not built: a team that calls one is told so, and does not look for a mistake of
/// its own.
enum TPCNotBuilt {
    private static let names = [
        "getEligibleTokenRequestors", "schemePushProvision", "getTokenRequestorAsset", "addCard",
    ]

    static var endpoints: [any RoutedEndpoint] {
        names.map { name in
            Endpoint(Route("tpc." + name, .post, TPCFace.basePath + "/{issuerId}/" + name, .inferred)) { exchange in
                throw exchange.refusal(.failed("operation", HTTPFault.operationNotBuilt, evidence: name))
            }
        }
    }
}
