import Core
import Sandbox
import Wire

/// Looks into the default world behind the faces' backs.
extension TestSandbox {
    /// Every record of the world, with its draws and its change counter: equal texts mean that nothing was changed.
    package func records() async throws -> [String] {
        let world = try await application.worlds.everything(of: .default)
        return world.rows.map { "\($0.kind) \(String(decoding: $0.document, as: UTF8.self))" }
    }
}
