import Core
import Crypto
import Networks
import Traffic
import Web
import Wire

/// Key material that clients elsewhere need: payload certificates and Apple's root, the sandbox's own of course.
struct KeyHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        [
            .control("listPayloadCertificates", .get, "/v1/payload-certificates", handler: certificates),
            .control("rotatePayloadKey", .post, "/v1/payload-keys/rotate", handler: rotate),
            .control("appleRoot", .get, "/v1/apple/root", handler: appleRoot),
        ]
    }

    /// Active is the certificate to use now; the others still open what was made for them.
    func certificates(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let builtIn = services.faces.keyring.payloadRecipients
        let recipients = try await services.worlds.read(exchange.tenant) { try $0.payloadRecipients(builtIn) }
        let hasRotated = recipients.count > builtIn.count
        return .json([
            "items": .array(
                recipients.enumerated().map { index, recipient in
                    KeyMessage.json(recipient, isActive: hasRotated ? index == 0 : true)
                }
            )
        ])
    }

    func rotate(_ exchange: inout Exchange) async throws -> HTTPResponse {
        var bits: Int64 = 2_048
        if !exchange.request.body.isEmpty {
            let fields = try ControlFields(exchange)
            fields.expect("bits")
            bits = try fields.integer("bits", in: 2_048...4_096) ?? bits
            if bits != 2_048, bits != 4_096 { throw fields.invalid("bits", "2048 or 4096") }
        }
        let size = Int(bits)
        let dates = services.faces.keyring.appleSubCA
        let key = try await services.faces.lane.run { try PrivateKey.generateRSA(bits: size) }
        let made = try await services.worlds.write(exchange.tenant) { world -> PayloadKey in
            // The id is chosen where it is stored, so that two rotations at once are two keys.
            let keyID = "TSH-PAYLOAD-\(size)-R\(try world.nextPayloadKeyNumber())"
            let certificate = try CertificateBuilder.payload(
                keyId: keyID,
                serialNumber: [0x01] + (try SecureRandom.bytes(15)),
                notBefore: dates.notBefore,
                notAfter: dates.notAfter
            ).selfSigned(by: key)
            return try world.addPayloadKey(keyID, privateKey: key.der.bytes, certificate: certificate.der)
        }
        let pem = try Certificate(der: made.certificate).pem
        return .json(["keyId": .string(made.keyID), "certificate": .string(pem), "active": true], status: 201)
    }

    func appleRoot(_ exchange: inout Exchange) async throws -> HTTPResponse {
        .json(["certificate": .string(services.faces.keyring.appleRoot.pem)])
    }
}

/// A payload certificate as the control API prints it.
enum KeyMessage {
    static func json(_ recipient: PayloadRecipient, isActive: Bool) -> JSON {
        [
            "keyId": .string(recipient.keyId), "certificate": .string(recipient.certificate.pem),
            "active": .bool(isActive),
        ]
    }
}
