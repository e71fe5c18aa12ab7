import Core
import Sandbox
import Wire

/// Looks into the default world behind the faces' backs.
extension TestSandbox {
    /// Every record of the world, with its draws and its change counter: equal texts mean that nothing was changed.
    package func records() async throws -> [String] {
        let kinds = [
            "token", "jti", "card", "callback", "session", "device", "passMetadata", "application", "d1Card",
            "d1Configuration", "d1Binding", "d1Session", "d1Bearer", "consumer", "payloadKey", "issuer",
            "activationCode", "tenant", "due",
        ]
        return try await application.worlds.read(.default) { view in
            try kinds.flatMap { kind in try view.store.documents(kind: kind).map { "\(kind) \($0.text)" } }
        }
    }
}
