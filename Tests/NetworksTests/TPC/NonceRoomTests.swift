import Core
import SandboxTesting
import Testing
import Wire

/// A nonce may have 64 bytes, but not in Visa's activation data.
struct NonceRoomTests {
    /// A network, and the length from which on a nonce is refused.
    static let rooms: [(network: PaymentNetwork, refused: Int)] = [
        (.visa, 39), (.mastercard, 65), (.amex, 65), (.discover, 65),
    ]

    @Test(arguments: rooms, ["generateAddPaymentPassRequest", "activatePass"])
    func `a nonce without room is refused before anything is spent`(
        _ room: (network: PaymentNetwork, refused: Int),
        _ operation: String
    ) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, room.network)
            let code = try TestIssuer(sandbox).code(sub: begun.card.reference, changes: [("jti", "once")])
            let good = try sandbox.passRequest(begun.session, begun.card, room.network)
                .replacing("authorizationCode", .string(code))
            func send(_ length: Int) async throws -> TestReply {
                let nonce = JSON.base64([UInt8](repeating: 7, count: length))
                return try await sandbox.tpc(operation, good.replacing("nonce", nonce))
            }
            expect(try await send(room.refused), tpc: 112, ["NONCE_LENGTH"])
            // The code may be used once, and the longest nonce uses it.
            #expect(try await send(room.refused - 1).status == 200)
        }
    }
}
