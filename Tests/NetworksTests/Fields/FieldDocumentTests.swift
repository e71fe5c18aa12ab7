import Core
import SandboxTesting
import Testing
import Wire

@testable import Networks

/// What the documents say of request bodies is what the faces' tables say.
@Suite struct FieldDocumentTests {
    private static let tables: [String: JSON] = [
        "tpc.generateAddPaymentPassRequest": GeneratePassRequest.body.schema,
        "tpc.activatePass": ActivatePassHandler.body.schema, "tpc.getTokens": TokenListHandler.body.schema,
        "tpc.updateTokenState": TokenStateRequest.body.schema,
        "tpc.getCardDigitizationResult": CardSelection.body.schema, "tpc.isCardDigitized": CardSelection.body.schema,
        "wallet.createDevice": DeviceHandler.newBody.schema, "wallet.updateDevice": DeviceHandler.changeBody.schema,
        "wallet.lostMode": DeviceHandler.lostModeBody.schema, "wallet.createPass": PassRequest.body.schema,
        "wallet.createProvisioningSession": SessionRequest.body.schema,
        "wallet.manualEntry": ManualEntry.body.schema,
        "wallet.requestActivationCode": ActivationHandler.methodBody.schema,
        "wallet.activatePass": ActivationHandler.body.schema, "d1.bindingHash": BindingHandler.body.schema,
        "d1.login": LoginRequest.body.schema, "d1.addPaymentPassRequest": AddPaymentPassHandler.body.schema,
        "d1.activateCard": DigitalCardReason.body.schema, "d1.activateDigitalCard": DigitalCardReason.body.schema,
        "d1.suspendDigitalCard": DigitalCardReason.body.schema,
        "d1.resumeDigitalCard": DigitalCardReason.body.schema,
        "d1.deleteDigitalCard": DigitalCardReason.body.schema, "d1.token": TokenRequest.body.schema,
        "d1.registerConsumer": ConsumerMessage.body.schema,
        "d1.registerConsumerCards": CardRegistrationRequest.listBody.schema,
        "d1.registerCard": CardRegistrationRequest.putBody.schema,
        "d1.createCard": CardRegistrationRequest.createBody.schema,
        "d1.suspendCard": CardOperationRequest.body(.suspend).schema,
        "d1.resumeCard": CardOperationRequest.body(.resume).schema,
        "d1.deleteCard": CardOperationRequest.body(.delete).schema,
        "d1.renewCard": CardOperationRequest.body(.renew).schema,
        "d1.replaceCard": CardOperationRequest.body(.replace).schema,
        "d1.suspendIssuerDigitalCard": DigitalCardOperationRequest.body.schema,
        "d1.resumeIssuerDigitalCard": DigitalCardOperationRequest.body.schema,
        "d1.deleteIssuerDigitalCard": DigitalCardOperationRequest.body.schema,
    ]

    /// What must be there all the same: its absence has a code of its own, which the table does not know.
    private static let ownMissing: Set<String> = ["d1.replaceCard encryptedData"]

    @Test(arguments: ["tpc", "wallet", "d1"]) func `each body has the members of its table`(face: String) throws {
        let document = try JSON.parse(TestFiles.bytes(packageRoot + "/Docs/openapi/\(face).json"))
        for (path, item) in document["paths"]?.object?.members ?? [] {
            for (method, operation) in item.object?.members ?? [] where method != "parameters" {
                guard let content = operation["requestBody"]?["content"]?.object?.members.first,
                    content.key != "application/octet-stream", let id = operation["operationId"]?.string
                else { continue }
                let name = id.hasSuffix(".v1") || id.hasSuffix(".v2") ? String(id.dropLast(3)) : id
                let documented = content.value["schema"].map { Self.members(of: $0, name) }
                // `configure` has two shapes, which its document gives as one.
                if name == "d1.configure" {
                    let both = [ConfigureRequest.oneBody.schema, ConfigureRequest.severalBody.schema]
                    let names = both.flatMap { $0["properties"]?.object?.keys ?? [] }
                    #expect(Set(names) == Set(content.value["schema"]?["properties"]?.object?.keys ?? []))
                } else {
                    #expect(documented == Self.tables[name].map { Self.members(of: $0, name) }, "\(method) \(path)")
                }
            }
        }
    }

    /// Each member with its type, a star where it must be there, and what is inside.
    private static func members(of schema: JSON, _ operation: String) -> Set<String> {
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        return Set(
            (schema["properties"]?.object?.members ?? []).map { name, member in
                let isRequired = required.contains(name) || ownMissing.contains("\(operation) \(name)")
                let items = member["items"]
                let inside = [member, items].compactMap(\.self).flatMap { members(of: $0, operation) }.sorted()
                // A member that may be null is given as one of two types.
                let type = member["type"]?.string ?? member["anyOf"]?.array?.first?["type"]?.string ?? "-"
                return "\(name)\(isRequired ? "*" : ""): \(type) \(items?["type"]?.string ?? "") \(inside)"
            }
        )
    }
}
