import Core
import Crypto
import Masking
import Networks
import Traffic
import Web
import Wire

/// Key material that clients elsewhere need: payload certificates and Apple's root, the sandbox's own of course.
struct KeyHandler: Sendable {
    let services: ControlServices

    /// Ten years, far more than a tenant's clock is moved.
    private static let longestWait: Int64 = 10 * 366 * 86_400

    var endpoints: [ControlEndpoint] {
        [
            .control("listPayloadCertificates", .get, "/v1/payload-certificates", handler: certificates),
            .control("rotatePayloadKey", .post, "/v1/payload-keys/rotate", handler: rotate),
            .control("retirePayloadKey", .delete, "/v1/payload-keys/{keyId}", handler: retire),
            .control("appleRoot", .get, "/v1/apple/root", handler: appleRoot),
        ]
    }

    /// Active is the certificate to use now; the others still open what was made for them. Retired ones are gone.
    func certificates(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let builtIn = services.faces.keyring.payloadRecipients
        let recipients = try await services.worlds.read(exchange.tenant) { try $0.payloadRecipients(builtIn) }
        let good = recipients.filter { $0.standing != .retired }
        return .json(["items": .array(good.map(KeyMessage.json))])
    }

    func rotate(_ exchange: inout Exchange) async throws -> HTTPResponse {
        var bits: Int64 = 2_048
        var retireAfter: Int64?
        if exchange.hasDocument {
            let fields = try ControlFields(exchange)
            fields.expect("bits", "retireAfterSeconds")
            bits = try fields.integer("bits", in: 2_048...4_096) ?? bits
            if bits != 2_048, bits != 4_096 { throw fields.invalid("bits", "2048 or 4096") }
            retireAfter = try fields.integer("retireAfterSeconds", in: 0...KeyHandler.longestWait)
        }
        let size = Int(bits)
        let (seconds, builtIn) = (retireAfter, services.faces.keyring.payloadRecipients)
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
            let made = try world.addPayloadKey(keyID, privateKey: key.der.bytes, certificate: certificate.der)
            if let seconds { try world.retirePayloadKeys(builtIn, afterSeconds: seconds) }
            return made
        }
        let pem = try Certificate(der: made.certificate).pem
        return .json(["keyId": .string(made.keyID), "certificate": .string(pem), "active": true], status: 201)
    }

    func retire(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let (keyID, builtIn) = (exchange.parameters["keyId"], services.faces.keyring.payloadRecipients)
        try await services.worlds.write(exchange.tenant) { world in
            let recipients = try world.view.payloadRecipients(builtIn)
            guard let key = recipients.first(where: { $0.keyId == keyID && $0.standing != .retired }) else {
                throw Refusal(
                    .failed("payloadKey", ControlFault.payloadKeyNotFound, evidence: Masking.excerpt(keyID, 64))
                )
            }
            guard try world.retirePayloadKey(key, among: recipients) else {
                throw Refusal(.failed("payloadKey", ControlFault.payloadKeyLast, evidence: key.keyId))
            }
        }
        return .empty(status: 204)
    }

    func appleRoot(_ exchange: inout Exchange) async throws -> HTTPResponse {
        .json(["certificate": .string(services.faces.keyring.appleRoot.pem)])
    }
}

/// A payload certificate as the control API prints it.
enum KeyMessage {
    static func json(_ recipient: PayloadRecipient) -> JSON {
        [
            "keyId": .string(recipient.keyId), "certificate": .string(recipient.certificate.pem),
            "active": .bool(recipient.standing == .active),
        ]
    }
}
