import Core
import Testing
import Wire

@Suite struct CardRegistryTests {
    @Test func `the first payload registers a card, its number stands in the vault only`() async throws {
        let worlds = try await TestWorlds()
        let card = try await worlds.write { try $0.register(Samples.cardData(), issuerID: Samples.issuerID) }
        let (stored, number, text) = try await worlds.read { view in
            let stored = try view.card(issuerID: Samples.issuerID, reference: "card-1")
            return (stored, try view.store.number(of: card.vaultOwner), card.document.text)
        }
        #expect(stored == card && number == "4111111111111111" && !text.contains("4111111111111111"))
        #expect(card.network == .visa && card.panSuffix == "1111" && card.consumerID == nil && card.state == .active)
    }

    @Test func `the same number with a new expiry updates the card`() async throws {
        let worlds = try await TestWorlds()
        let (before, after, count) = try await worlds.write { world in
            var data = try Samples.cardData()
            data.phone = "600"
            let before = try world.register(data, issuerID: Samples.issuerID, consumerID: "c1")
            var renewed = try Samples.cardData(expiry: "1235")
            renewed.holderName = "ANA NUEVA"
            let after = try world.register(renewed, issuerID: Samples.issuerID)
            return (before, after, try world.store.records(Card.self).count)
        }
        #expect(after.expiry.mmyy == "1235" && after.holderName == "ANA NUEVA" && count == 1)
        #expect(after.phone == "600" && after.consumerID == "c1" && after.lastUse > before.lastUse)
        #expect(after.primaryAccountIdentifier == before.primaryAccountIdentifier)
    }

    @Test func `a reference with another number is a conflict and changes nothing`() async throws {
        let worlds = try await TestWorlds()
        let before = try await worlds.write { try $0.register(Samples.cardData(), issuerID: Samples.issuerID) }
        await #expect(throws: CardReferenceConflict.self) {
            try await worlds.write { world in
                try world.register(Samples.cardData("card-1", "4012888888881881"), issuerID: Samples.issuerID)
            }
        }
        let (after, codes) = try await worlds.read { view in
            let other = try Samples.cardData("card-1", "4012888888881881")
            let checks =
                try view.provisioningChecks(issuerID: Samples.issuerID, card: other, code: nil)
                + view.provisioningChecks(issuerID: Samples.issuerID, card: Samples.cardData(), code: nil)
                + view.provisioningChecks(issuerID: "OTHERBANK1", card: other, code: nil)
            return (try view.card(issuerID: Samples.issuerID, reference: "card-1"), checks.refused)
        }
        #expect(after == before && codes == ["CARD_REF_CONFLICT"])
    }

    @Test func `two references of one number share the FPAN id within an issuer`() async throws {
        let worlds = try await TestWorlds()
        let ids = try await worlds.write { world in
            try world.store.put(Samples.issuer("OTHERBANK1"))
            return try [
                world.register(Samples.cardData("a"), issuerID: Samples.issuerID),
                world.register(Samples.cardData("b"), issuerID: Samples.issuerID),
                world.register(Samples.cardData("c", "4012888888881881"), issuerID: Samples.issuerID),
                world.register(Samples.cardData("a"), issuerID: "OTHERBANK1"),
            ].map(\.primaryAccountIdentifier)
        }
        let latest = try await worlds.write { world in
            try world.register(Samples.cardData("a"), issuerID: Samples.issuerID)
            return try world.view.cards(withNumber: Samples.pan("4111111111111111")).map(\.reference)
        }
        #expect(ids[0] == ids[1] && Set(ids).count == 3)
        #expect(latest == ["a", "a", "b"])
    }

    /// Who owns the Visa test number in a world of these issuers, where some have it registered.
    private func owner(
        _ issuers: [(id: String, range: AccountRange?)],
        registered: [String] = []
    ) async throws -> String {
        let worlds = try await TestWorlds()
        return try await worlds.write { world in
            try world.store.remove(Issuer.self, Samples.issuerID)
            for issuer in issuers { try world.store.put(Samples.issuer(issuer.id, ranges: [issuer.range])) }
            for id in registered { try world.register(Samples.cardData(), issuerID: id) }
            switch try world.view.owner(of: Samples.pan("4111111111111111")) {
            case .success(let owner): return "\(owner.issuer.issuerID) \(owner.card?.reference ?? "-")"
            case .failure(let fault): return "\(fault.check.code?.name ?? "") \(fault.check.evidence ?? "-")"
            }
        }
    }

    @Test func `the issuer of a number is found by card, range, or being the only one`() async throws {
        let (one, two) = ("AAAAAAAAA1", "BBBBBBBBB2")
        let range = AccountRange(low: "411111", high: "411111")
        let elsewhere = AccountRange(low: "42", high: "42")
        let found = try await [
            owner([]), owner([(one, nil)]), owner([(one, elsewhere)]), owner([(one, nil), (two, nil)]),
            owner([(one, range), (two, nil)]), owner([(one, range), (two, range)]),
            owner([(one, range), (two, nil)], registered: [two]),
            owner([(one, range), (two, range)], registered: [two]),
            owner([(one, nil), (two, nil)], registered: [two, one]),
        ]
        #expect(
            found == [
                "ISSUER_UNKNOWN_FOR_PAN -", "\(one) -", "\(one) -", "ISSUER_UNKNOWN_FOR_PAN -", "\(one) -",
                "ISSUER_AMBIGUOUS \(one), \(two)", "\(two) card-1", "\(two) card-1", "ISSUER_AMBIGUOUS \(one), \(two)",
            ]
        )
    }

    @Test func `an event changes a card, and a closed card takes none`() async throws {
        let worlds = try await TestWorlds()
        let found = try await worlds.write { world in
            var card = try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            let id = card.primaryAccountIdentifier
            var states: [String] = []
            let events: [CardEvent] = [
                .block, .unblock, .renew(nil), .renew(try Samples.expiry("0140")),
                .replace(try Samples.pan("5555555555554444"), nil), .close,
            ]
            for event in events {
                card = try #require(try world.apply(event, to: card))
                let number = try world.store.number(of: card.vaultOwner) ?? ""
                states.append("\(card.state) \(card.expiry.mmyy) \(card.network) \(card.panSuffix) \(number.prefix(1))")
            }
            let refused = try world.apply(.unblock, to: card) == nil
            return states + ["\(refused && card.primaryAccountIdentifier == id)"]
        }
        #expect(
            found == [
                "blocked 1232 visa 1111 4", "active 1232 visa 1111 4", "active 1235 visa 1111 4",
                "active 0140 visa 1111 4", "active 0140 mastercard 4444 5", "closed 0140 mastercard 4444 5", "true",
            ]
        )
    }
}
