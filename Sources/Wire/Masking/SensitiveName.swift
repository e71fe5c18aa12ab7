/// Names of JSON members and query parameters whose values never enter the journal.
enum SensitiveName {
    /// What becomes of the value.
    enum Treatment: Equatable {
        /// Nothing of it stays.
        case whole
        /// The last four digits stay.
        case lastFour
        /// Masked when it is a string of four to eight digits.
        case shortCode
        /// The object is a JWK (RFC 7517).
        case keyType
        /// Private in a JWK, harmless elsewhere.
        case keyPart
        /// Whoever shows it is let in: the last four characters stay, to tell one from another.
        case bearer
    }

    /// In lower case, ordered by first letter.
    private static let names: [(name: [UInt8], treatment: Treatment)] = {
        let treatments: KeyValuePairs<String, Treatment> = [
            "access_token": .bearer, "accesstoken": .bearer, "accountnumber": .lastFour, "activationcode": .whole,
            "bindinghash": .bearer, "cardnumber": .lastFour, "cardsecuritycode": .whole, "client_secret": .whole,
            "clientsecret": .whole, "code": .shortCode, "cvc": .whole, "cvc2": .whole, "cvv": .whole,
            "cvv2": .whole, "d": .keyPart, "dp": .keyPart, "dq": .keyPart, "fpan": .lastFour, "k": .keyPart,
            "key": .whole, "kty": .keyType, "otp": .whole, "p": .keyPart, "pan": .lastFour,
            "password": .whole, "pin": .whole, "primaryaccountnumber": .lastFour, "privatekey": .whole, "q": .keyPart,
            "qi": .keyPart, "refresh_token": .bearer, "refreshtoken": .bearer, "securitycode": .whole,
            "session_token": .bearer, "sessiontoken": .bearer, "shared_secret": .whole, "sharedsecret": .whole,
        ]
        return treatments.map { (name: Array($0.key.utf8), treatment: $0.value) }
    }()

    /// For each byte the first name that begins with it, or -1.
    private static let firstIndex: [Int] = {
        var table = [Int](repeating: -1, count: 256)
        for (index, entry) in names.enumerated().reversed() {
            table[Int(entry.name[0])] = index
            table[Int(entry.name[0] & 0xDF)] = index
        }
        return table
    }()

    /// For each first byte the lengths of the names that begin with it, as bits.
    private static let lengths: [UInt32] = {
        var table = [UInt32](repeating: 0, count: 256)
        for entry in names {
            table[Int(entry.name[0])] |= 1 << UInt32(entry.name.count)
            table[Int(entry.name[0] & 0xDF)] |= 1 << UInt32(entry.name.count)
        }
        return table
    }()

    /// The name that stands at `start` and ends before a byte that is no letter, digit or underscore, in any case.
    static func match(_ bytes: Span<UInt8>, at start: Int) -> (treatment: Treatment, length: Int)? {
        guard start < bytes.count else { return nil }
        let lengths = lengths.span[Int(bytes[start])]
        guard lengths != 0 else { return nil }
        var end = start + 1
        while end < bytes.count, end - start <= 20, bytes[end].isLetter || bytes[end].isDigit || bytes[end] == 0x5F {
            end += 1
        }
        let length = end - start
        guard lengths & 1 << UInt32(length) != 0 else { return nil }
        var index = firstIndex[Int(bytes[start])]
        while index < names.count, names[index].name[0] == bytes[start] | 0x20 {
            if names[index].name.count == length, isEqual(names[index].name, bytes, start) {
                return (treatment: names[index].treatment, length: length)
            }
            index += 1
        }
        return nil
    }

    private static func isEqual(_ name: [UInt8], _ bytes: Span<UInt8>, _ start: Int) -> Bool {
        for offset in 0..<name.count {
            let byte = bytes[start + offset]
            guard (byte.isLetter ? byte | 0x20 : byte) == name[offset] else { return false }
        }
        return true
    }

    /// What is written for a value that is text; nil when it may stay.
    static func replacement(for value: some Collection<UInt8>, _ treatment: Treatment) -> String? {
        switch treatment {
        case .whole, .keyPart: return value.isEmpty ? nil : "***"
        case .shortCode: return (4...8).contains(value.count) && value.allSatisfy(\.isDigit) ? "***" : nil
        case .lastFour:
            let digits = value.filter { $0.isDigit || $0 == 0x2A }
            let others = value.count - digits.count
            let last = digits.suffix(4)
            guard others == 0 || value.allSatisfy({ $0.isDigit || $0 == 0x2A || CardSearch.isSeparator($0) }),
                digits.count <= 32, last.allSatisfy(\.isDigit)
            else { return value.isEmpty ? nil : "***" }
            return digits.count <= 4
                ? nil : String(repeating: "*", count: digits.count - 4) + String(decoding: last, as: UTF8.self)
        case .bearer: return bearer(value)
        case .keyType: return nil
        }
    }

    /// The shortest credential of which four characters may stay.
    private static let shortestShown = 16
    private static let hidden = "***"

    private static func bearer(_ value: some Collection<UInt8>) -> String? {
        // What was masked already stays as it is.
        if value.isEmpty || value.starts(with: hidden.utf8) && value.count <= hidden.utf8.count + 4 { return nil }
        let isToken = value.allSatisfy { EncodedText.isBase64($0) || $0 == 0x2E || $0 == 0x3D || $0 == 0x7E }
        guard isToken, value.count >= shortestShown else { return hidden }
        return hidden + String(decoding: value.suffix(4), as: UTF8.self)
    }
}
