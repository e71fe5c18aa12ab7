import Core
import Testing
import Wire

@Suite struct ProvisioningTests {
    private static let number = "4111111111111111"

    /// Provisions the Visa test card; a session is made unless it is manual entry.
    @discardableResult
    private static func provision(
        _ world: World,
        on device: Device,
        _ data: ActivationDataOutcome = .verified,
        number: String = number,
        expiry: String = "1232",
        manual: Bool = false
    ) throws -> ProvisioningOutcome {
        let pan = try Samples.pan(number)
        let session =
            manual
            ? nil : try world.beginSession(on: device, network: .visa, suffix: pan.suffix, application: "")
        return try world.provision(
            ProvisioningRequest(
                deviceID: device.deviceID,
                sessionID: session?.sessionID,
                network: .visa,
                pan: pan,
                expiry: Samples.expiry(expiry),
                holderName: "ANA PRUEBA",
                activationData: data
            )
        ).outcome
    }

    private static func made(_ outcome: ProvisioningOutcome) throws -> PassView {
        guard case .made(let pass, _, _) = outcome else {
            Issue.record("no pass was made: \(outcome)")
            throw Missing()
        }
        return pass
    }

    private struct Missing: Error {}

    /// The outcome in one line.
    private static func line(_ outcome: ProvisioningOutcome) -> String {
        switch outcome {
        case .made(let pass, let decision, _): "\(decision) \(pass.token.state) \(pass.activationMethods.map(\.id))"
        case .alreadyThere: "alreadyThere"
        case .refused(let checks): "refused " + checks.refused.joined(separator: " ")
        case .sessionUsed: "sessionUsed"
        case .deviceGone: "deviceGone"
        case .sessionGone: "sessionGone"
        case .issuerChanged: "issuerChanged"
        }
    }

    @Test func `the decision chooses the state of the token`() async throws {
        let worlds = try await TestWorlds()
        let lines = try await worlds.write { world in
            try [ActivationDataOutcome.verified, .notOffered, .refused].map { data in
                Self.line(try Self.provision(world, on: world.device(), data))
            }
        }
        #expect(
            lines == [
                "green active []", "yellow inactive [\"SMS\", \"EMAIL\", \"CUSTOMER_SERVICE\"]",
                "refused ACTIVATION_DATA_REFUSED",
            ]
        )
    }

    @Test func `a red decision leaves nothing`() async throws {
        let worlds = try await TestWorlds()
        let device = try await worlds.write { try $0.device() }
        let before = try await worlds.read { $0.tenant }
        let lines = try await worlds.write { world in
            try [
                Self.line(Self.provision(world, on: device, .refused, manual: true)),
                Self.line(Self.provision(world, on: device, expiry: "1229", manual: true)),
            ]
        }
        let (after, cards, tokens, owners) = try await worlds.read { view in
            try (
                view.tenant, view.store.records(Card.self).count, view.store.records(Token.self).count,
                view.store.owners(ofNumber: Self.number).count
            )
        }
        #expect(lines == ["refused ACTIVATION_DATA_REFUSED", "refused CARD_EXPIRED"])
        #expect(after == before && cards + tokens + owners == 0)
    }

    @Test func `a phone and its watches share the serial number and hold different tokens`() async throws {
        let worlds = try await TestWorlds()
        let passes = try await worlds.write { world in
            let phone = try world.device()
            let watches = try (0..<2).map { _ in try world.device(Device.watch, pairedWith: phone.deviceID) }
            // The watches first: the card need not be on the phone.
            let others = [try world.device()]
            return try (watches + [phone] + others).map { try Self.made(Self.provision(world, on: $0)) }
        }
        #expect(Set(passes.map(\.token.tokenID)).count == 4 && Set(passes.map(\.token.suffix)).count > 1)
        #expect(Set(passes.prefix(3).map(\.serialNumber)).count == 1)
        #expect(passes[3].serialNumber != passes[0].serialNumber)
    }

    @Test func `a pairing counts whichever side named the other`() async throws {
        let worlds = try await TestWorlds()
        let serials = try await worlds.write { world in
            let watch = try world.device(Device.watch)
            let phone = try world.device(pairedWith: watch.deviceID)
            return try [watch, phone].map { try Self.made(Self.provision(world, on: $0)).serialNumber }
        }
        #expect(serials[0] == serials[1])
    }

    @Test func `deleting and adding again makes a new serial number and a new token`() async throws {
        let worlds = try await TestWorlds()
        let (first, second, states) = try await worlds.write { world in
            let phone = try world.device()
            var first = try Self.made(Self.provision(world, on: phone))
            let fault = try world.apply(.delete, to: &first.token, by: .cardholder)
            let second = try Self.made(Self.provision(world, on: phone))
            let states = try world.store.records(Token.self).map(\.state)
            return (first, second, fault == nil ? states : [])
        }
        #expect(first.token.tokenID != second.token.tokenID && first.serialNumber != second.serialNumber)
        #expect(states == [.deleted, .active])
    }

    @Test func `a card that is there gives the existing pass and spends the session`() async throws {
        let worlds = try await TestWorlds()
        let lines = try await worlds.write { world in
            let phone = try world.device()
            let pass = try Self.made(Self.provision(world, on: phone, .notOffered))
            let session = try world.beginSession(on: phone, network: .visa, suffix: "1111", application: "")
            let request = ProvisioningRequest(
                deviceID: phone.deviceID,
                sessionID: session.sessionID,
                network: .visa,
                pan: try Samples.pan(Self.number),
                expiry: try Samples.expiry("1232"),
                holderName: "ANA PRUEBA",
                activationData: .verified
            )
            var lines: [String] = []
            for _ in 0..<2 {
                switch try world.provision(request).outcome {
                case .alreadyThere(let there, _): lines.append("there \(there.token == pass.token)")
                case .sessionUsed(let id): lines.append("used \(id == pass.token.tokenID)")
                case let other: lines.append(Self.line(other))
                }
            }
            return lines + [String(try world.store.records(Token.self).count)]
        }
        #expect(lines == ["there true", "used true", "1"])
    }

    @Test func `two references of one number are one card to the wallet`() async throws {
        let worlds = try await TestWorlds()
        let line = try await worlds.write { world in
            let phone = try world.device()
            _ = try Self.provision(world, on: phone)
            try world.register(Samples.cardData("second"), issuerID: Samples.issuerID)
            return Self.line(try Self.provision(world, on: phone))
        }
        #expect(line == "alreadyThere")
    }

    @Test func `pass data brings a card up to date, typing does not`() async throws {
        let worlds = try await TestWorlds()
        let found = try await worlds.write { world in
            try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            let typed = try Self.made(Self.provision(world, on: world.device(), expiry: "0133", manual: true))
            let told = try Self.made(Self.provision(world, on: world.device(), expiry: "0134"))
            return [typed.card, told.card].map { "\($0.reference) \($0.expiry.mmyy)" }
        }
        #expect(found == ["card-1 1232", "card-1 0134"])
    }

    @Test func `a card that nobody registered appears by use, without a consumer`() async throws {
        let worlds = try await TestWorlds()
        let card = try await worlds.write { world in
            try Self.made(Self.provision(world, on: world.device(), manual: true)).card
        }
        #expect(card.reference.hasPrefix("auto-") && card.consumerID == nil && card.issuerID == Samples.issuerID)
    }

    @Test func `two cards that appear by use are two cards, also when the draws begin again`() async throws {
        let worlds = try await TestWorlds()
        let references = try await worlds.write { world in
            let device = try world.device()
            return try ["4111111111111111", "4242424242424242"].map { number in
                world.tenant.draws = Draws(seed: 7)
                // The reference is the first that is drawn.
                return try Self.made(Self.provision(world, on: device, number: number, manual: true)).card.reference
            }
        }
        #expect(Set(references).count == 2, "\(references)")
    }

    @Test func `a number without an issuer is refused, and so is a device that is gone`() async throws {
        let worlds = try await TestWorlds()
        let lines = try await worlds.write { world in
            let phone = try world.device()
            try world.store.put(Samples.issuer("OTHERBANK1"))
            let refused = Self.line(try Self.provision(world, on: phone))
            try world.wipe(phone)
            return [refused, Self.line(try Self.provision(world, on: phone, manual: true))]
        }
        #expect(lines == ["refused ISSUER_UNKNOWN_FOR_PAN", "deviceGone"])
    }

    @Test func `a blocked card is refused`() async throws {
        let worlds = try await TestWorlds()
        let line = try await worlds.write { world in
            let card = try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            _ = try world.apply(.block, to: card)
            return Self.line(try Self.provision(world, on: world.device()))
        }
        #expect(line == "refused CARD_BLOCKED")
    }

    @Test func `the metadata of the day is stamped on the pass and stays until it is applied`() async throws {
        let worlds = try await TestWorlds()
        let found = try await worlds.write { world in
            var metadata = PassMetadata(issuerID: Samples.issuerID, network: .visa, contactName: "one")
            try world.store.put(metadata)
            let token = try Self.made(Self.provision(world, on: world.device())).token
            metadata.contactName = "two"
            try world.store.put(metadata)
            let before = try world.store.record(Pass.self, token.tokenID)?.metadata.contactName
            let counts = try (0..<2).map { _ in
                try world.applyPassMetadata(issuerID: Samples.issuerID, network: .visa, tokenID: nil)
            }
            let after = try world.store.record(Pass.self, token.tokenID)?.metadata.contactName
            return [before, after] + counts.map { String($0) }
        }
        #expect(found == ["one", "two", "1", "0"])
    }

    @Test func `an active token is told from the one that waits on the other device`() async throws {
        let worlds = try await TestWorlds()
        let faults = try await worlds.write { world in
            let phone = try world.device()
            let watch = try world.device(Device.watch, pairedWith: phone.deviceID)
            let active = try Self.made(Self.provision(world, on: phone)).token
            let alone = try world.view.lifecycleFault(of: active, .activate, by: .issuer)
            let waiting = try Self.made(Self.provision(world, on: watch, .notOffered)).token
            return try [
                alone, world.view.lifecycleFault(of: active, .activate, by: .issuer),
                world.view.lifecycleFault(of: active, .resume, by: .issuer),
                world.view.lifecycleFault(of: waiting, .activate, by: .issuer),
            ]
        }
        #expect(faults == [.alreadyInState, .otherDevicePending, .alreadyInState, nil])
    }
}
