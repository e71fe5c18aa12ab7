import Core
import Wire

/// Reads the fixture folder.
enum FixtureFiles {
    static func panPolicy(_ configuration: SandboxConfiguration) throws -> PANPolicy {
        let path = configuration.fixturesFolder + "/test-pans.json"
        guard let policy = PANPolicy(mode: configuration.panPolicy, document: try json(path)) else {
            throw FixtureFault(message: "\(path): {\"numbers\":[…], \"ranges\":[…]} is wanted")
        }
        return policy
    }

    static func base(_ configuration: SandboxConfiguration, panPolicy: PANPolicy) throws -> Fixtures {
        let path = configuration.fixturesFolder + "/tenants/default.json"
        let keys = configuration.keysFolder
        do {
            return try Fixtures(try json(path), panPolicy: panPolicy) { file in try Files.text(keys + "/" + file) }
        } catch let fault as FixtureFault {
            throw FixtureFault(message: "\(path): \(fault.message)")
        }
    }

    private static func json(_ path: String) throws -> JSON {
        let bytes = try Files.bytes(path)
        do {
            return try JSON.parse(bytes)
        } catch {
            throw FixtureFault(message: "\(path): \(error.reason.rawValue) at byte \(error.offset)")
        }
    }
}
