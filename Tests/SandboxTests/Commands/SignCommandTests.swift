import FoundationEssentials
import Sandbox
import SandboxTesting
import Testing
import Wire

/// `sign tav`: activation data of an issuer's own key, good without more options.
struct SignCommandTests {
    private static let card = ["--issuer", "DEMOBANK01", "--pan", "5555555555554444", "--exp", "1232"]

    private func sign(_ arguments: [String]) async throws -> JSON {
        let keys = ["--keys", packageRoot + "/keys"]
        let outcome = await TestTerminal.run(["sign", "tav"] + Self.card + arguments + keys)
        #expect(outcome.exit == .success, "\(outcome.errors.prefix(200))")
        return try JSON.parse(try Base64.decode(outcome.lines.first ?? ""))
    }

    @Test(arguments: ["2", "3", "4"])
    func `every version is taken for the demo issuers`(_ version: String) async throws {
        let document = try await sign(["--version", version])
        try await withFolder { folder in
            let context = folder + "/context.json"
            try "{\"network\":\"mastercard\",\"pan\":\"5555555555554444\",\"exp\":\"1232\",\"issuerId\":\"DEMOBANK01\"}"
                .write(toFile: context, atomically: true, encoding: .utf8)
            let outcome = await TestTerminal.run(
                ["explain", "activation-data", "--context", context] + TestTerminal.folders,
                input: Base64.encode(document.bytes)
            )
            #expect(outcome.exit == .success, "\(outcome.output)")
            // The key of the demo issuers has no alias, which is told.
            #expect(outcome.output.contains("ACTIVATION_TAV_ALIAS_UNKNOWN") == (version == "4"))
        }
    }

    @Test func `the alias is the one given, else that of the fixtures, else the issuerId`() async throws {
        try await withFolder { folder in
            let package = ["--fixtures", packageRoot + "/fixtures"]
            #expect(try await sign(["--version", "4", "--key-alias", "mine"] + package)["keyAlias"] == "mine")
            #expect(try await sign(["--version", "4"] + package)["keyAlias"] == "DEMOBANK01")
            #expect(try await sign(["--version", "3"] + package)["keyAlias"] == nil)
            try FileManager.default.createDirectory(atPath: folder + "/tenants", withIntermediateDirectories: false)
            let tav = "{\"mastercard\": {\"tav\": [{\"pemFile\": \"x\"}, {\"pemFile\": \"y\", \"keyAlias\": \"A-1\"}]}}"
            try "{\"issuers\": [{\"issuerId\": \"DEMOBANK01\", \"networkKeys\": \(tav)}]}".write(
                toFile: folder + "/tenants/default.json",
                atomically: true,
                encoding: .utf8
            )
            #expect(try await sign(["--version", "4", "--fixtures", folder])["keyAlias"] == "A-1")
        }
        let lost = await TestTerminal.run(
            ["sign", "tav", "--version", "4", "--fixtures", "/nowhere", "--keys", packageRoot + "/keys"] + Self.card
        )
        #expect(lost.exit == .failure && lost.errors.contains("no such folder"))
    }
}
