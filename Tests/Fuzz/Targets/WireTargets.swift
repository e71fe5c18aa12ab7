import Masking
import Web
import Wire

extension Target {
    static let wire: [Target] = [
        Target("json") { bytes, _ in
            guard let json = try? JSON.parse(bytes) else { return }
            let written = json.bytes
            let again = known { try JSON.parse(written) }
            require(again == json, "a document that is written reads the same")
            require(again.bytes == written, "a document is written the same each time")
            require((try? JSON.parse(bytes, integers: .any)) == json, "more integers change nothing else")
        },
        Target("pointer") { bytes, _ in
            let key = String(decoding: bytes, as: UTF8.self)
            let escaped = JSONPointer.escape(key)
            require(!escaped.utf8.contains(0x2F), "an escaped key is one step")
            // ~1 first: ~01 is an escaped ~ and a 1 (RFC 6901, section 4).
            let plain = Array(escaped.utf8).replacing(Array("~1".utf8), with: Array("/".utf8))
            require(plain.replacing(Array("~0".utf8), with: Array("~".utf8)) == Array(key.utf8), "a key comes back")
        },
        Target("ber") { bytes, _ in
            for rules in [BERReader.Rules.basic, .distinguished] {
                guard var reader = try? BERReader(bytes, rules: rules) else { continue }
                walk(&reader, bytes.count)
            }
            if let oid = OID(content: bytes) { require(oid.content == bytes, "an identifier keeps its bytes") }
        },
        Target("encoding") { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            for variant in [Base64.Variant.standard, .url] {
                require(
                    known { try Base64.decode(Base64.encode(bytes, variant), variant) } == bytes,
                    "base64 comes back"
                )
                if let decoded = try? Base64.decode(bytes, variant) {
                    require(Array(Base64.encode(decoded, variant).utf8) == bytes, "there is one base64 of some bytes")
                }
            }
            require(known { try Hex.decode(Hex.encode(bytes)) } == bytes, "hexadecimal comes back")
            if let decoded = try? Hex.decode(text) {
                require(Hex.encode(decoded) == text.lowercased(), "as hexadecimal")
            }
        },
        Target("percent") { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            require(PercentEncoding.decode(PercentEncoding.encode(text)[...]) == text, "an encoded text comes back")
            for plus in [false, true] {
                guard let plain = PercentEncoding.decode(text[...], plusIsSpace: plus) else { continue }
                let again = PercentEncoding.decode(PercentEncoding.encode(plain)[...])
                require(again.map { Array($0.utf8) } == Array(plain.utf8), "a decoded text comes back")
            }
            let request = HTTPRequest(method: .get, target: "/?" + text, headers: HTTPHeaders(), body: [])
            require(request.query.count <= text.utf8.count { $0 == 0x26 } + 1, "no more pairs than there are")
        },
        Target("time") { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            if let instant = RFC3339.parse(text) {
                // An offset can lead out of the four digits that a year has.
                if (0...9_999).contains(instant.civil.year) {
                    require(RFC3339.parse(RFC3339.format(instant)) == instant, "a time comes back: \(text)")
                }
                _ = HTTPDate.format(instant)
            }
            for tag: UInt8 in [0x17, 0x18] {
                guard bytes.count < 100,
                    let element = try? BERReader.single(
                        tag == 0x17 ? .utcTime : .generalizedTime,
                        in: DER.element(tag, bytes)
                    ), let time = try? element.time()
                else { continue }
                require(RFC3339.parse(RFC3339.format(time)) == time, "a certificate's time is one")
            }
        },
        Target("masking") { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            let masked = Masking.text(text)
            require(Masking.text(masked) == masked, "masking twice is masking once: \(masked.debugDescription)")
            require(
                !Masking.holdsCardNumber(masked),
                "a masked text holds no card number: \(masked.debugDescription)"
            )
            let target = Masking.target(text)
            require(Masking.target(target) == target, "masking a target twice is masking it once")
            _ = Masking.body(bytes, contentType: "application/x-www-form-urlencoded", limit: 64)
        },
    ]

    /// Every element, read in every way that there is.
    private static func walk(_ reader: inout BERReader, _ count: Int) {
        while !reader.isAtEnd {
            _ = try? reader.peek()
            guard let element = try? reader.next() else { return }
            require(reader.offset <= count, "the reader stays within the bytes")
            if let octets = try? element.octets() { require(octets.count <= count, "no more octets than bytes") }
            if let number = try? element.integer(), number >= 0 {
                let again = try? BERReader.single(.integer, in: DER.integer(number)).integer()
                require(again == number, "a number comes back")
            }
            _ = try? element.integerOctets()
            _ = try? element.unsignedOctets()
            _ = try? element.boolean()
            _ = try? element.objectIdentifier()
            _ = try? element.bitStringOctets()
            _ = try? element.bits()
            _ = try? element.text()
            _ = try? element.time()
            if var children = try? element.children() { walk(&children, count) }
        }
    }
}
