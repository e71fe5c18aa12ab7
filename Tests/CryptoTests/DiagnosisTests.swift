import Testing
import Wire

@testable import Crypto

struct DiagnosisTests {
    @Test func `every code of the target has its own name, a cause and a cure`() {
        let codes = CryptoDiagnosis.codes
        #expect(Set(codes.map(\.name)).count == codes.count)
        for code in codes {
            #expect(code.cause.hasSuffix(".") && code.cure.hasSuffix("."), "\(code.name)")
            #expect(code.name.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }, "\(code.name)")
        }
    }
}
