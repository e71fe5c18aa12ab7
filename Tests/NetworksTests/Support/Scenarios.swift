import Core
import SandboxTesting
import Testing
import Wire

/// How a card reaches Wallet.
enum Way: String, CaseIterable, Sendable {
    case pass
    case manualEntry

    /// The decision when no other rule speaks.
    var standard: String { self == .pass ? "green" : "yellow" }
}

extension TestSandbox {
    /// Adds a card to the device, the one way or the other.
    func add(_ card: TestCard, _ network: PaymentNetwork, to deviceID: String, _ way: Way) async throws -> TestReply {
        switch way {
        case .pass: try await provision(deviceID, card, network)
        case .manualEntry: try await manualEntry(deviceID, card, network)
        }
    }

    /// Moves the tenant's clock.
    @discardableResult
    func advance(_ seconds: String, tenant: String = "default") async throws -> TestReply {
        let headers = [("x-sandbox-tenant", tenant)]
        let reply = try await control("POST", "/v1/clock/advance", body: "{\"seconds\":\(seconds)}", headers: headers)
        try #require(reply.status == 200, "\(reply.summary)")
        return reply
    }

    /// The token's history as `event by from-to at`, the time in seconds after 2030 began.
    func history(_ tokenID: String) async throws -> [String] {
        let start: Int64 = 1_893_456_000
        return (try await token(tokenID)["history"].array ?? []).map { change in
            let at = change["at"]?.string.flatMap(RFC3339.parse)?.seconds ?? start
            let words = ["event", "by", "to"].compactMap { change[$0]?.string }
            return words.joined(separator: " ") + " \(at - start)"
        }
    }
}

extension TestCard {
    /// The card with another expiry year.
    func expiring(_ year: Int) -> TestCard {
        TestCard(reference, pan: pan, exp: "12\(year % 100)", name: name)
    }
}
