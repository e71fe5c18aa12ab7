import Core
import Wire

/// Reads the base fixtures.
enum FixtureFiles {
    static func panPolicy(_ configuration: SandboxConfiguration) throws -> PANPolicy {
        let (source, name) = (configuration.fixtures, "test-pans.json")
        guard let policy = PANPolicy(mode: configuration.panPolicy, document: try json(source, name)) else {
            throw FixtureFault(message: "\(source.path(name)): {\"numbers\":[…], \"ranges\":[…]} is wanted")
        }
        return policy
    }

    static func base(_ configuration: SandboxConfiguration, panPolicy: PANPolicy) throws -> Fixtures {
        let (source, name, keys) = (configuration.fixtures, "tenants/default.json", configuration.keys)
        do {
            return try Fixtures(try json(source, name), panPolicy: panPolicy) { file in try keys.text(file) }
        } catch let fault as FixtureFault {
            throw FixtureFault(message: "\(source.path(name)): \(fault.message)")
        }
    }

    private static func json(_ source: FileSource, _ name: String) throws -> JSON {
        let bytes = try source.bytes(name)
        do {
            return try JSON.parse(bytes)
        } catch {
            throw FixtureFault(message: "\(source.path(name)): \(error.reason.rawValue) at byte \(error.offset)")
        }
    }
}
