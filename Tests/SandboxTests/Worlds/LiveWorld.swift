import Core
import SandboxTesting
import Testing
import Wire

extension TestSandbox {
    /// A world with something of almost everything in it.
    func live() async throws {
        let phone = try await device()
        let watch = try await device("watch", pairedWith: phone)
        let token = try await provision(phone, .visa, .visa).text("tokenId")
        let yellow = try await manualEntry(watch, .visa, .visa)
        let serial = yellow["pass"]["serialNumber"]?.string ?? ""
        let path = "/wallet/apple/devices/\(watch)/passes/\(serial)/activation-code"
        _ = try await api("POST", path, ["method": "SMS"])
        _ = try await updateTokenState(token, .visa, "Suspend")
        _ = try await control("POST", "/v1/cards/test-visa/events", ["event": "replace"])
        _ = try await control("POST", "/v1/payload-keys/rotate", ["retireAfterSeconds": 86_400])
        _ = try await configure(phone, [("card-visa", nil)])
        _ = try await session(phone)
        _ = try await bindingHash(phone)
        let bearer = try await bearer()
        let registered: JSON = [
            "consumerId": "consumer-ana",
            "encryptedData": .string(try TestIssuer(self).encryptedData("4761731000000043")),
        ]
        _ = try await banking("PUT", "v2/issuers/DEMOBANK01/cards/card-new", bearer, registered)
        _ = try await control(
            "POST",
            "/v1/tokens",
            ["issuerCardRefId": "card-new", "deviceId": .string(phone)]
        )
        try await change { world in
            let ids = [PaymentNetwork.visa: "40010099999"]
            let shop = TokenRequestor(
                "shop",
                name: "Shop",
                ids: ids,
                walletProviderID: nil,
                audience: nil,
                .merchant
            )
            try world.store.put(shop)
        }
        _ = try await control("POST", "/v1/faults", ["effect": ["callback": "drop"]])
        _ = try await control("PATCH", "/v1/tenants/default", ["strictness": "lenient", "seed": 77])
    }
}
