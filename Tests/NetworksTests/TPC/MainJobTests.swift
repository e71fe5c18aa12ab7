import Core
import SandboxTesting
import Testing
import Wire

/// The job the sandbox exists for, for every network: this is the reference test.
struct MainJobTests {
    @Test(arguments: PaymentNetwork.allCases)
    func `an encrypted card becomes an active token on the phone`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let made = try await sandbox.provision(phone, .of(network), network)
            #expect(made.status == 201)
            #expect(made["decision"] == "green")
            let pass = made["pass"]
            #expect(pass["passTypeIdentifier"] == "paymentpass.com.apple")
            #expect(pass["secureElementPass"]?["passActivationState"] == "activated")
            #expect(pass["secureElementPass"]?["deviceAccountIdentifier"] == made["tokenId"])

            let seen = try await sandbox.passes(phone)
            #expect(seen["localPasses"] == .array([pass]))
            #expect(seen["remotePasses"] == [])
            let token = try await sandbox.token(made["tokenId"].string ?? "")
            #expect(token["state"] == "active")
            #expect(token["network"] == .string(network.rawValue))
        }
    }
}
