package import Core
import Sandbox
package import Wire

/// The steps of push provisioning as an app and its backend take them, each with a switch for the mistake under test.
extension TestSandbox {
    package static let application = "A1B2C3D4E5.com.demobank.app"

    package func keyFile(_ file: String) throws -> String {
        String(decoding: try configuration.keys.bytes(file), as: UTF8.self)
    }

    /// A new device; gives its id.
    package func device(_ kind: String = "phone", pairedWith: String? = nil) async throws -> String {
        var body: JSON = ["kind": .string(kind)]
        if let pairedWith { body = body.adding("pairedWith", .string(pairedWith)) }
        return try await api("POST", "/wallet/apple/devices", body)["deviceId"].string ?? ""
    }

    /// A new provisioning session for the card.
    package func session(
        _ deviceID: String,
        _ card: TestCard,
        _ network: PaymentNetwork,
        changes: [(String, JSON)] = []
    ) async throws -> TestReply {
        var body: JSON = [
            "paymentNetwork": .string(network.passKitName), "cardholderName": .string(card.name),
            "primaryAccountSuffix": .string(card.suffix), "application": .string(Self.application),
        ]
        for (name, value) in changes { body = body.replacing(name, value) }
        return try await api("POST", "/wallet/apple/devices/\(deviceID)/provisioning-sessions", body)
    }

    /// The body of `generateAddPaymentPassRequest`, all of it right.
    package func passRequest(
        _ session: TestReply,
        _ card: TestCard,
        _ network: PaymentNetwork,
        issuer: TestIssuer? = nil
    ) throws -> JSON {
        let issuer = issuer ?? TestIssuer(self)
        return [
            "scheme": .string(network.scheme), "encryptedPayload": .string(try issuer.payload(card)),
            "authorizationCode": .string(try issuer.code(sub: card.reference)),
            "certificateChain": session["certificates"], "nonce": session["nonce"],
            "nonceSignature": session["nonceSignature"],
        ]
    }

    /// The whole job for one card; gives the wallet's answer.
    package func provision(
        _ deviceID: String,
        _ card: TestCard,
        _ network: PaymentNetwork,
        issuerID: String = "DEMOBANK01"
    ) async throws -> TestReply {
        let session = try await session(deviceID, card, network)
        let issuer = TestIssuer(self, issuerID)
        let request = try passRequest(session, card, network, issuer: issuer)
        let triple = try await api("POST", "/mg/tpc/\(issuerID)/generateAddPaymentPassRequest", request)
        let path = "/wallet/apple/provisioning-sessions/\(session["sessionId"].string ?? "")/pass"
        return try await api("POST", path, triple.json)
    }

    /// A card typed into Wallet, which ends yellow.
    package func manualEntry(_ deviceID: String, _ card: TestCard, _ network: PaymentNetwork) async throws -> TestReply
    {
        try await api(
            "POST",
            "/wallet/apple/devices/\(deviceID)/manual-entries",
            [
                "pan": .string(card.pan), "expiration": .string("\(card.exp.prefix(2))/\(card.exp.suffix(2))"),
                "name": .string(card.name), "cvv": .string(network == .amex ? "1234" : "123"),
                "paymentNetwork": .string(network.passKitName), "application": .string(Self.application),
            ]
        )
    }

    /// `updateTokenState` as the issuer's app calls it.
    package func updateTokenState(
        _ tokenID: String,
        _ network: PaymentNetwork,
        _ action: String,
        issuerID: String = "DEMOBANK01",
        changes: [(String, JSON)] = []
    ) async throws -> TestReply {
        let issuer = TestIssuer(self, issuerID)
        var body: JSON = [
            "tokenId": .string(tokenID),
            "tokenRequestorId": .string(network == .visa ? TokenRequestor.appleID(at: network) : ""),
            "scheme": .string(network.scheme), "authorizationCode": .string(try issuer.code(sub: tokenID)),
            "action": .string(action),
        ]
        for (name, value) in changes { body = body.replacing(name, value) }
        return try await api("POST", "/mg/tpc/\(issuerID)/updateTokenState", body)
    }

    /// The passes an application sees on a device.
    package func passes(
        _ deviceID: String,
        application: String? = application,
        query: String = ""
    ) async throws -> TestReply {
        let application = application.map { "application=\($0)&" } ?? ""
        return try await api("GET", "/wallet/apple/devices/\(deviceID)/passes?\(application)\(query)")
    }

    /// A token as the control API shows it.
    package func token(_ tokenID: String) async throws -> TestReply {
        try await control("GET", "/v1/tokens/\(tokenID)")
    }
}

extension JSON {
    /// The object with a member replaced; `null` removes it.
    package func replacing(_ key: String, _ value: JSON) -> JSON {
        guard case .object(var object) = self else { return self }
        object[key] = value.isNull ? JSON?.none : value
        return .object(object)
    }
}
