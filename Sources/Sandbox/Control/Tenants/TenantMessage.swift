import Core
import Masking
import Traffic
import Wire

/// A tenant as the control API reads and prints it.
enum TenantMessage {
    static func json(_ name: TenantName, _ tenant: Tenant) -> JSON {
        [
            "name": .string(name.text), "seed": .number(String(tenant.draws.seed)),
            "strictness": .string(tenant.settings.strictness.rawValue),
            "diagnosisHeader": .bool(tenant.settings.diagnosisHeader), "hintHeader": .bool(tenant.settings.hintHeader),
            "magicData": .bool(tenant.settings.magicData),
            "walletPropagationMs": .number(tenant.settings.walletPropagationMilliseconds),
        ]
    }

    /// Settings and seed, and other members.
    static func expect(_ fields: ControlFields, _ others: String...) {
        for name in others { fields.expect(name) }
        fields.expect("seed", "strictness", "diagnosisHeader", "hintHeader", "magicData", "walletPropagationMs")
    }

    /// The name of a tenant that is to be made.
    static func name(_ fields: ControlFields, _ member: String) throws(Refusal) -> TenantName {
        let text = try fields.string(member)
        guard let name = TenantName(text) else {
            throw fields.refusal(
                member,
                .failed("body.\(member)", HTTPFault.tenantName, evidence: Masking.excerpt(text, 64))
            )
        }
        return name
    }

    /// Nil when the document names none.
    static func seed(_ fields: ControlFields) throws(Refusal) -> UInt64? {
        try fields.integer("seed", in: 0...(1 << 53)).map { UInt64($0) }
    }
}

/// Settings that a document wants; what it does not name stays.
struct TenantSettingsChange: Sendable {
    private let strictness: Strictness?
    private let diagnosisHeader: Bool?
    private let hintHeader: Bool?
    private let magicData: Bool?
    private let walletPropagationMilliseconds: Int64?

    init(_ fields: ControlFields) throws(Refusal) {
        strictness = try fields.word("strictness", Strictness.self)
        walletPropagationMilliseconds = try fields.integer("walletPropagationMs", in: 0...3_600_000)
        let header = try fields.bool("diagnosisHeader", default: true)
        let hint = try fields.bool("hintHeader", default: false)
        hintHeader = fields.has("hintHeader") ? hint : nil
        let magic = try fields.bool("magicData", default: true)
        diagnosisHeader = fields.has("diagnosisHeader") ? header : nil
        magicData = fields.has("magicData") ? magic : nil
    }

    func apply(to settings: inout Tenant.Settings) {
        if let strictness { settings.strictness = strictness }
        if let diagnosisHeader { settings.diagnosisHeader = diagnosisHeader }
        if let hintHeader { settings.hintHeader = hintHeader }
        if let magicData { settings.magicData = magicData }
        if let walletPropagationMilliseconds {
            settings.walletPropagationMilliseconds = walletPropagationMilliseconds
        }
    }
}
