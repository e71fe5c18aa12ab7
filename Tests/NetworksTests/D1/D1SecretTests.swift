import SandboxTesting
import Testing
import Wire

@testable import Core
@testable import Networks

/// A seed that is set again makes the draws begin again; a secret that was given out is not given again.
@Suite struct D1SecretTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable (World) throws -> String
    }

    static let kinds = [
        Kind(testDescription: "binding hash") { try $0.bind(nil, deviceID: "d", context: .app)?.value ?? "" },
        Kind(testDescription: "session secret") { world in
            let secret = try world.unusedSecret(D1Session.self)
            try world.store.put(
                D1Session(
                    token: secret,
                    deviceID: "d",
                    application: "a",
                    context: .app,
                    members: [],
                    expiresAt: world.now
                )
            )
            return secret
        },
        Kind(testDescription: "bearer") { world in
            let secret = try world.unusedSecret(D1Bearer.self)
            try world.store.put(D1Bearer(token: secret, issuerID: "i", expiresAt: world.now))
            return secret
        },
    ]

    @Test(arguments: kinds)
    func `a drawn secret that is taken is not drawn again`(_ kind: Kind) async throws {
        try await withSandbox { sandbox in
            try await sandbox.change { world in
                let secrets = try (0..<2).map { _ in
                    world.tenant.draws = Draws(seed: 7)
                    return try kind.make(world)
                }
                #expect(Set(secrets).count == 2, "\(secrets)")
            }
        }
    }

    @Test func `the id of a device that a session names is not given again after a wipe`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.change { world in
                let ids = try (0..<2).map { _ in
                    world.tenant.draws = Draws(seed: 7)
                    let device = try world.addDevice(
                        kind: "phone",
                        name: nil,
                        pairedWith: nil,
                        credentials: DeviceCredentials(key: [1], certificate: [2])
                    )
                    try world.store.put(
                        D1Session(
                            token: "token",
                            deviceID: device.deviceID,
                            application: "a",
                            context: .app,
                            members: [],
                            expiresAt: world.now
                        )
                    )
                    try world.wipe(device)
                    return device.deviceID
                }
                #expect(Set(ids).count == 2, "\(ids)")
            }
        }
    }
}
