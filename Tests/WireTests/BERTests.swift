import Testing
import Wire

/// Why reading failed, or nil.
private func reason(_ hex: String, rules: BERReader.Rules = .basic, depth: Int = 16) -> BERFault.Reason? {
    do throws(BERFault) {
        let bytes = (try? Hex.decode(hex)) ?? []
        var reader = try BERReader(bytes, rules: rules, limits: BERLimits(bytes: 64, depth: depth))
        try walk(&reader)
        return nil
    } catch {
        return error.reason
    }
}

/// Visits every element and reads what its type allows.
private func walk(_ reader: inout BERReader) throws(BERFault) {
    while !reader.isAtEnd {
        let element = try reader.next()
        switch element.tag {
        case .integer: _ = try element.integerOctets()
        case .boolean: _ = try element.boolean()
        case .objectIdentifier: _ = try element.objectIdentifier()
        case .bitString: _ = try element.bits()
        case .octetString: _ = try element.octets()
        case .utf8String: _ = try element.text()
        case .utcTime, .generalizedTime: _ = try element.time()
        default:
            guard element.isConstructed else { continue }
            var inner = try element.children()
            try walk(&inner)
        }
    }
}

struct BERReaderTests {
    @Test func `each malformed encoding has its reason`() {
        let cases: [(String, BERReader.Rules, BERFault.Reason?)] = [
            ("3000", .distinguished, nil), ("30800000", .basic, nil), ("30800000", .distinguished, .indefiniteLength),
            ("04800000", .basic, .indefiniteLength), ("3080", .basic, .truncated), ("308000", .basic, .truncated),
            ("30", .basic, .truncated), ("3001", .basic, .truncated), ("308101", .basic, .truncated),
            ("30030402ff", .basic, .truncated), ("300304020000", .basic, .lengthBeyondParent),
            ("30ff", .basic, .lengthForm), ("3089010000000000000000", .basic, .lengthForm),
            ("308100", .basic, nil), ("308100", .distinguished, .lengthNotMinimal),
            ("3082000105", .distinguished, .lengthNotMinimal), ("0000", .basic, .unexpectedElement),
            ("30020000", .basic, .unexpectedElement), ("3080000100", .basic, .lengthForm),
            ("1f", .basic, .truncated), ("1f800100", .basic, .tagForm), ("1f0500", .basic, .tagForm),
            ("1fffffffff7f00", .basic, .tagForm), ("1f2000", .basic, nil), ("bf8a3f00", .basic, nil),
            ("0200", .basic, .contentForm), ("020100", .basic, nil), ("02020001", .basic, .contentForm),
            ("0202ff80", .basic, .contentForm), ("02020080", .basic, nil), ("010100", .basic, nil),
            ("010101", .basic, nil), ("010101", .distinguished, .contentForm), ("01020000", .basic, .contentForm),
            ("0600", .basic, .contentForm), ("060180", .basic, .contentForm), ("060129", .basic, nil),
            ("06022a80", .basic, .contentForm), ("06032a8001", .basic, .contentForm),
            ("2403040141", .basic, nil), ("2403040141", .distinguished, .contentForm),
            ("2403020101", .basic, .unexpectedElement), ("248004010004000000", .basic, nil),
            ("0300", .basic, .contentForm), ("030108", .basic, .contentForm), ("030101", .basic, .contentForm),
            ("03020780", .basic, nil), ("0c01ff", .basic, .contentForm),
            ("170d3236303233303030303030305a", .basic, .contentForm),
            ("170d3236303232383030303030305a", .basic, nil), ("17015a", .basic, .contentForm),
        ]
        for (hex, rules, expected) in cases {
            let seen = reason(hex, rules: rules)
            #expect(seen == expected, "\(hex) \(rules)")
        }
    }

    @Test func `depth and size are bounded, for definite and indefinite lengths`() throws {
        #expect(reason("308030803080000000000000", depth: 8) == nil)
        #expect(reason("308030803080000000000000", depth: 3) == .tooDeep)
        #expect(reason("300430023000", depth: 3) == .tooDeep)
        #expect(reason(String(repeating: "00", count: 65)) == .tooLarge)
        // Deeply nested input must not be followed by recursion without end.
        let deep = (0..<200_000).map { UInt8($0 % 2 == 0 ? 0x30 : 0x80) }
        var reader = try BERReader(deep)
        #expect(throws: BERFault.self) { try reader.next() }
    }

    @Test func `a structure is read in order and its end is checked`() throws {
        let bytes = DER.sequence(DER.integer(5), DER.octetString([1, 2]), DER.context(0, DER.null))
        var reader = try BERReader.single(.sequence, in: bytes, rules: .distinguished).children()
        #expect(try reader.nextIfPresent(.octetString) == nil)
        #expect(try reader.next(.integer).integer() == 5)
        #expect(throws: BERFault(.trailingBytes, at: 5)) { try reader.finish() }
        #expect(throws: BERFault(.unexpectedElement, at: 5, expected: .set)) { try reader.next(.set) }
        #expect(try reader.next(.octetString).octets() == [1, 2])
        #expect(try reader.peek() == .context(0))
        #expect(try reader.next().child(.null).encoded == [5, 0])
        try reader.finish()
        #expect(throws: BERFault(.unexpectedElement, at: 13, expected: .null)) { try reader.next(.null) }
        #expect(throws: BERFault.self) { try BERReader.single(.sequence, in: bytes + [0]) }
    }

    @Test func `pieces are joined, empty and nested ones too`() throws {
        let bytes = try Hex.decode("2480040141040024050401420400" + "0000")
        #expect(try BERReader.single(.octetString, in: bytes).octets() == [0x41, 0x42])
    }

    @Test func `no bytes make the reader crash`() {
        var state: UInt64 = 1
        let common: [UInt8] = [0x30, 0x80, 0x24, 0x04, 0x02, 0x00, 0x06, 0x03]
        for _ in 0..<5_000 {
            var bytes: [UInt8] = []
            for _ in 0..<24 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let value = UInt8(truncatingIfNeeded: state >> 56)
                bytes.append(value < 96 ? common[Int(value) % 8] : value)
            }
            _ = reason(Hex.encode(bytes))
        }
    }
}

struct DERTests {
    @Test func `values are written in their one form`() {
        let cases: [([UInt8], String)] = [
            (DER.integer(0), "020100"), (DER.integer(127), "02017f"), (DER.integer(128), "02020080"),
            (DER.integer(65_537), "0203010001"), (DER.integer(magnitude: [0, 0, 0xFF]), "020200ff"),
            (DER.integer(magnitude: []), "020100"), (DER.boolean(true), "0101ff"), (DER.bitString([1]), "03020001"),
            (DER.namedBits([true, false, true]), "030205a0"), (DER.namedBits([false]), "030100"),
            (DER.namedBits([Bool](repeating: false, count: 8) + [true]), "0303070080"),
            (DER.set(of: [[2, 1, 2], [2, 1, 1]]), "3106020101020102"),
            (DER.oid(OID(2, 16, 840, 1)), "060460864801"), (DER.oid(OID(2, 999, 3)), "0603883703"),
            (DER.time(Instant(seconds: 1_700_000_000)), "170d" + Hex.encode(Array("231114221320Z".utf8))),
            (DER.time(Instant(seconds: 2_524_608_000)), "180f" + Hex.encode(Array("20500101000000Z".utf8))),
        ]
        for (bytes, hex) in cases { #expect(Hex.encode(bytes) == hex) }
        #expect(DER.octetString([UInt8](repeating: 0, count: 300)).prefix(4) == [0x04, 0x82, 0x01, 0x2C])
    }

    @Test func `times and identifiers are read back`() throws {
        for seconds in [0, 1_700_000_000, 2_524_607_999, 2_524_608_000, 253_402_300_799] as [Int64] {
            var reader = try BERReader(DER.time(Instant(seconds: seconds)))
            #expect(try reader.next().time() == Instant(seconds: seconds))
        }
        for text in ["1.2.840.113549.1.1.7", "2.16.840.1.101.3.4.2.1", "0.9.2342", "2.999.3", "1.3.6"] {
            #expect(OID(dotted: text)?.description == text)
        }
        for text in ["", "1", "1.40", "3.1", "1..2", "1.x"] { #expect(OID(dotted: text) == nil) }
    }
}
