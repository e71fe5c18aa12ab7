import Testing
import Wire

@testable import Core

/// A seed that is set again makes the draws begin again; what has an id keeps it for itself.
@Suite struct UnusedIDTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Makes one thing and gives its drawn id; the number tells the things apart.
        let make: @Sendable (World, Int) throws -> String

        init(_ description: String, _ make: @escaping @Sendable (World, Int) throws -> String) {
            testDescription = description
            self.make = make
        }
    }

    private static let credentials = DeviceCredentials(key: [1], certificate: [2])

    private static func pass(_ world: World, _ number: Int) throws -> PassView {
        let card = try world.register(Samples.cardData("card-\(number)"), issuerID: Samples.issuerID)
        return try world.issuePass(of: card, on: world.device(), state: .active, sessionNonce: [])
    }

    static let kinds = [
        Kind("device") { world, _ in
            try world.addDevice(kind: "phone", name: nil, pairedWith: nil, credentials: credentials).deviceID
        },
        Kind("secure element") { world, _ in
            try world.addDevice(kind: "phone", name: nil, pairedWith: nil, credentials: credentials).secureElementID
        },
        Kind("device after a wipe") { world, number in
            let device = try world.addDevice(kind: "phone", name: nil, pairedWith: nil, credentials: credentials)
            let card = try world.register(Samples.cardData("card-\(number)"), issuerID: Samples.issuerID)
            _ = try world.issuePass(of: card, on: device, state: .active, sessionNonce: [])
            try world.wipe(device)
            return device.deviceID
        },
        Kind("provisioning session") { world, _ in
            let session = try world.beginSession(on: world.device(), network: .visa, suffix: "1111", application: "a")
            return session.sessionID
        },
        Kind("token") { world, number in try pass(world, number).token.tokenID },
        Kind("serial number") { world, number in try pass(world, number).serialNumber },
        Kind("FPAN id") { world, number in
            let pan = ["4111111111111111", "4242424242424242"][number]
            let card = try world.register(Samples.cardData("card-\(number)", pan), issuerID: Samples.issuerID)
            return card.primaryAccountIdentifier
        },
    ]

    @Test(arguments: kinds)
    func `a drawn id that is taken is not drawn again`(_ kind: Kind) async throws {
        let worlds = try await TestWorlds()
        let ids = try await worlds.write { world in
            try (0..<2).map { number in
                world.tenant.draws = Draws(seed: 7)
                return try kind.make(world, number)
            }
        }
        #expect(Set(ids).count == 2, "\(ids)")
    }
}
