import Core
import SandboxTesting
import Testing
import Wire

/// `encryptionScheme` on the two faces that take it: one rule, each face's own codes.
struct EncryptionSchemeTests {
    enum Verdict {
        case right
        /// Taken with a warning.
        case taken
        /// Refused as a spelling.
        case misspelt
        /// Refused as another scheme.
        case other
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let value: JSON
        let documented: Verdict
        let lenient: Verdict
        let strict: Verdict
        var testDescription: String { value.text }

        init(_ value: JSON, _ documented: Verdict, _ lenient: Verdict, _ strict: Verdict) {
            self.value = value
            self.documented = documented
            self.lenient = lenient
            self.strict = strict
        }
    }

    static let rows: [Row] = [
        Row(.null, .right, .right, .right), Row("EV_ECC_v2", .right, .right, .right),
        Row("ECC_V2", .taken, .taken, .misspelt), Row("EV_ECC_V2", .taken, .taken, .misspelt),
        Row("ecc_v2", .misspelt, .taken, .misspelt), Row("ECC_v2", .misspelt, .taken, .misspelt),
        Row("ev_ecc_v2", .misspelt, .taken, .misspelt), Row("Ev_Ecc_V2", .misspelt, .taken, .misspelt),
        Row("EV_RSA_v2", .other, .other, .other), Row("RSA_V2", .other, .other, .other),
        Row("ECC_V3", .other, .other, .other), Row("ECC-V2", .other, .other, .other),
        Row(" EV_ECC_v2", .other, .other, .other), Row("", .other, .other, .other),
    ]

    @Test(arguments: rows)
    func `both faces judge it alike under each strictness`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let phone = try await sandbox.device()
            let verdicts = [("documented", row.documented), ("lenient", row.lenient), ("strict", row.strict)]
            for (word, verdict) in verdicts {
                try await sandbox.strictness(word)
                let body = try sandbox.passRequest(begun.session, begun.card, .visa)
                let tpc = try await sandbox.tpc(
                    "generateAddPaymentPassRequest",
                    body.replacing("encryptionScheme", row.value)
                )
                let told = try await sandbox.journaled()
                let wallet = try await sandbox.session(phone, .visa, .visa, changes: [("encryptionScheme", row.value)])
                let seen = try await sandbox.journaled()
                switch verdict {
                case .right, .taken:
                    #expect([tpc.status, wallet.status] == [200, 201], "\(word) \(tpc.summary) \(wallet.summary)")
                    #expect(told == (verdict == .taken ? ["TPC_ENCRYPTION_SCHEME_SPELLING"] : []), "\(word)")
                    #expect(seen == (verdict == .taken ? ["ENCRYPTION_SCHEME_SPELLING"] : []), "\(word)")
                case .misspelt:
                    expect(tpc, tpc: 112, ["TPC_ENCRYPTION_SCHEME_SPELLING"])
                    expect(wallet, wallet: 400, ["ENCRYPTION_SCHEME_SPELLING"])
                case .other:
                    expect(tpc, tpc: 112, ["TPC_ENCRYPTION_SCHEME_UNSUPPORTED"])
                    expect(wallet, wallet: 400, ["ENCRYPTION_SCHEME_UNSUPPORTED"])
                }
            }
        }
    }
}
