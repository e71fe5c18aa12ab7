import Networks
import Web
import Wire

/// `faces`: what the API port serves, for scripts and checks, so that none of them keeps a list of its own.
enum FacesCommand {
    static var syntax: CommandSyntax {
        CommandSyntax(
            "faces",
            "tell what the API port serves",
            options: [CommandOption("json", nil, "as JSON, with every operation"), .fixtures, .keys],
            run: run
        )
    }

    private static func run(_ arguments: [String], _ terminal: Terminal) async throws -> Command.ExitCode {
        let options = try syntax.read(arguments)
        var configuration = SandboxConfiguration()
        configuration.store = .memory
        configuration.seed = 0
        if let text = options.value("fixtures") { configuration.fixturesFolder = text }
        if let text = options.value("keys") { configuration.keysFolder = text }
        let now = terminal.now()
        let platform = SandboxApplication.Platform(now: { now }, newSeed: { 0 }, log: .none)
        let application = try await SandboxApplication.build(configuration, platform)
        await application.close()
        let faces = application.facesDocument
        if options.isOn("json") {
            terminal.print(faces.text)
            return .success
        }
        for face in faces["faces"]?.array ?? [] {
            let paths = face["basePaths"]?.array?.compactMap(\.string) ?? []
            let count = face["endpoints"]?.array?.count ?? 0
            terminal.print("\(face["name"]?.string ?? "")  \(paths.joined(separator: " "))  \(count) operations")
        }
        return .success
    }
}

extension SandboxApplication {
    /// The faces of the API port with their operations (CONTRACT, section 7). Faces that share a name are one.
    var facesDocument: JSON {
        var names: [String] = []
        for face in faces where !names.contains(face.name) { names.append(face.name) }
        let routes = api.endpoints.map(\.route)
        return [
            "faces": .array(
                names.map { name in
                    let basePaths = faces.filter { $0.name == name }.flatMap(\.basePaths)
                    let own = routes.filter { route in
                        basePaths.contains { route.path == $0 || route.path.hasPrefix($0 + "/") }
                    }
                    return [
                        "name": .string(name), "basePaths": .strings(basePaths),
                        "document": .string("\(DocumentFace.basePath)/\(name).json"),
                        "endpoints": .array(
                            own.map { route in
                                [
                                    "name": .string(route.name), "method": .string(route.method.rawValue),
                                    "path": .string(route.path), "fidelity": .string(route.fidelity.rawValue),
                                ]
                            }
                        ),
                    ]
                }
            )
        ]
    }
}
