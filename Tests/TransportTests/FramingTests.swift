import Testing
import Web

@testable import Transport

struct FramingTests {
    private func scan(_ pieces: [[UInt8]]) throws -> (HeadScanner, unused: Int?) {
        var scanner = HeadScanner(limits: Limits())
        for piece in pieces {
            let progress = try piece.withUnsafeBytes { bytes throws(RequestFault) in try scanner.append(bytes) }
            if case .complete(let unused) = progress { return (scanner, unused) }
        }
        return (scanner, nil)
    }

    @Test func `a head reads the same in any pieces`() throws {
        let text = Array("\r\nPOST /a?b HTTP/1.1\r\nHost: h\r\nEMPTY:\r\nx-pad: \t v w \t\r\n\r\nrest".utf8)
        let whole = try scan([text])
        #expect(whole.unused == 4)
        var rules = HeadRules()
        let request = try #require(whole.0.request(of: .init(), rules: &rules))
        #expect(request.target == "/a?b")
        #expect(request.headers.fields.map(\.name.text) == ["host", "empty", "x-pad"])
        #expect(request.headers.fields.map(\.value) == ["h", "", "v w"])
        for cut in 1..<(text.count - 4) {
            let parts = try scan([Array(text[..<cut]), Array(text[cut...])])
            #expect(parts.unused == 4)
            #expect(parts.0.bytes == whole.0.bytes)
            #expect(parts.0.partialRequest(of: .init())?.headers == request.headers)
        }
    }

    @Test func `every token character is one`() {
        let tokens = (0...255).filter { Characters.isToken(UInt8($0)) }.map { UInt8($0) }
        let expected = "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~"
        #expect(String(decoding: tokens, as: UTF8.self) == expected)
    }

    @Test(arguments: ["host", "HOST", "Content-Type", "x-request-id", "X-Sandbox-Tenant"])
    func `known names are found in any case`(name: String) {
        Array(name.utf8).withUnsafeBufferPointer { bytes in
            #expect(KnownHeader.find(bytes[0..<bytes.count])?.name == HTTPHeaderName(name))
        }
    }

    @Test(arguments: ["hos", "hosts", "x-unknown", "\u{8}ost"]) func `other names are not`(name: String) {
        Array(name.utf8).withUnsafeBufferPointer { bytes in
            #expect(KnownHeader.find(bytes[0..<bytes.count]) == nil)
        }
    }
}
