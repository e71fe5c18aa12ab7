import Core
import Testing

@Suite struct TokenRequestorTests {
    @Test func `Apple has an id at each network`() {
        let ids = PaymentNetwork.allCases.map { TokenRequestor.apple.ids[$0] }
        #expect(ids == ["40010030273", "50110030273", "30010030273", "90110030273"])
    }

    @Test func `no two of the built-in ones share an id, a name or an audience`() {
        let all = TokenRequestor.builtIn
        let known = all.flatMap { requestor -> [String] in
            let words = [requestor.recordID, requestor.name, requestor.audience, requestor.walletProviderID]
            return words.compactMap { $0 } + requestor.keys.map(\.value)
        }
        // Apple's audience is also TSH's word for it.
        #expect(Set(known).count == known.count - 1)
    }

    @Test func `a requestor is found by its id at the network, built in or the tenant's own`() async throws {
        let worlds = try await TestWorlds()
        let names = try await worlds.write { world in
            try world.store.put(
                TokenRequestor(
                    "shop",
                    name: "Shop",
                    // At another network the number is somebody else's.
                    ids: [.visa: "40010099999", .mastercard: "40010030273"],
                    walletProviderID: nil,
                    audience: nil,
                    .merchant
                )
            )
            let asked: [(String, PaymentNetwork)] = [
                ("40010030273", .visa), ("40010030273", .mastercard), ("40010099999", .visa), ("40010099999", .amex),
                ("40010075001", .visa), ("", .visa),
            ]
            return try asked.map { try world.view.tokenRequestor(id: $0.0, network: $0.1)?.name }
        }
        #expect(names == ["Apple Pay", "Shop", "Shop", nil, "Google Pay", nil])
    }
}
