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
            "access_token": .bearer, "accesstoken": .bearer, "account_number": .lastFour,
            "accountnumber": .lastFour, "activation_code": .whole, "activationcode": .whole,
            "activationdata": .bearer, "api_key": .whole, "apikey": .whole, "auth_token": .bearer,
            "authtoken": .bearer, "bearer_token": .bearer, "bearertoken": .bearer, "bindinghash": .bearer,
            "card_number": .lastFour, "card_security_code": .whole, "cardnumber": .lastFour,
            "cardsecuritycode": .whole, "cardverificationcode": .whole, "client_secret": .whole,
            "clientsecret": .whole, "code": .shortCode, "cryptogram": .whole, "csc": .whole, "cvc": .whole,
            "cvc2": .whole, "cvn": .whole, "cvv": .whole, "cvv2": .whole, "d": .keyPart, "dp": .keyPart,
            "dpan": .lastFour, "dq": .keyPart, "fpan": .lastFour, "id_token": .bearer, "idtoken": .bearer,
            "k": .keyPart, "key": .whole, "kty": .keyType, "leafkey": .whole, "mac": .bearer, "mackey": .whole,
            "noncesecret": .whole, "onetimecode": .whole, "onetimepassword": .whole,
            "onlinepaymentcryptogram": .whole, "otp": .whole, "p": .keyPart, "pan": .lastFour, "passcode": .whole,
            "password": .whole, "paymentcryptogram": .whole, "pin": .whole, "pinblock": .whole,
            "primary_account_number": .lastFour, "primaryaccountnumber": .lastFour, "private_key": .whole,
            "privatekey": .whole, "pvv": .whole, "q": .keyPart, "qi": .keyPart, "refresh_token": .bearer,
            "refreshtoken": .bearer, "secret": .whole, "secret_key": .whole, "secretkey": .whole,
            "security_code": .whole, "securitycode": .whole, "session_token": .bearer, "sessiontoken": .bearer,
            "shared_secret": .whole, "sharedsecret": .whole, "signature": .bearer, "token_cryptogram": .whole,
            "tokencryptogram": .whole, "track1": .whole, "track2": .whole, "trackdata": .whole,
            "verification_code": .whole, "verificationcode": .whole,
        ]
        return treatments.map { (name: Array($0.key.utf8), treatment: $0.value) }
    }()

    /// The length of the longest name; lengths are bits of 32.
    private static let longest = 30

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

    /// What credentials' names end in, by its length.
    private static let headerEndings: [[[UInt8]]] = {
        let endings = ["-token", "-secret", "-password", "-api-key", "-cvv", "-otp", "-pin", "-authorization"]
        var table = [[[UInt8]]](repeating: [], count: 15)
        for ending in endings { table[ending.utf8.count].append(Array(ending.utf8)) }
        return table
    }()

    private static func endsAsCredential(_ bytes: Span<UInt8>) -> Bool {
        for length in headerEndings.indices
        where length > 0 && length <= bytes.count && bytes[bytes.count - length] == 0x2D {
            for ending in headerEndings[length]
            where ending.indices.allSatisfy({ bytes[bytes.count - length + $0] == ending[$0] }) { return true }
        }
        return false
    }

    /// The treatment of a header by its name in lower case: `x-` and hyphens aside, a name from the list, or one that ends
    /// as credentials' names do.
    static func treatment(ofHeader name: String) -> Treatment? {
        let bytes = name.utf8.span
        if endsAsCredential(bytes) { return .whole }
        let start = bytes.count > 2 && bytes[0] == 0x78 && bytes[1] == 0x2D ? 2 : 0
        guard start < bytes.count else { return nil }
        var hyphens = 0
        for index in start..<bytes.count where bytes[index] == 0x2D { hyphens += 1 }
        let length = bytes.count - start - hyphens
        // Nearly all are told by their first letter and their length.
        guard let first = (start..<bytes.count).first(where: { bytes[$0] != 0x2D }), length <= longest,
            lengths[Int(bytes[first])] & 1 << UInt32(length) != 0
        else { return nil }
        let bare = (start..<bytes.count).map { bytes[$0] }.filter { $0 != 0x2D }
        guard let found = match(bare.span, at: 0), found.length == bare.count else { return nil }
        return found.treatment == .keyPart || found.treatment == .keyType ? nil : found.treatment
    }

    /// The name that ends just before `end`, and where it begins; nil when letters or digits stand before it.
    static func match(_ bytes: Span<UInt8>, before end: Int) -> (treatment: Treatment, start: Int)? {
        var start = end
        while start > 0, end - start <= longest,
            bytes[start - 1].isLetter || bytes[start - 1].isDigit || bytes[start - 1] == 0x5F
        {
            start -= 1
        }
        guard let name = match(bytes, at: start), start + name.length == end else { return nil }
        return (treatment: name.treatment, start: start)
    }

    /// The name that stands at `start` and ends before a byte that is not a letter, digit or underscore, in any case.
    static func match(_ bytes: Span<UInt8>, at start: Int) -> (treatment: Treatment, length: Int)? {
        guard start < bytes.count else { return nil }
        let lengths = lengths.span[Int(bytes[start])]
        guard lengths != 0 else { return nil }
        var end = start + 1
        while end < bytes.count, end - start <= longest, bytes[end].isLetter || bytes[end].isDigit || bytes[end] == 0x5F
        {
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

    /// What stands where something was taken out: `<random n bytes>`, `<masked base64 n characters>`.
    private static let marks = ["<random ", "<masked "].map { Array($0.utf8) }

    private static func bearer(_ value: some Collection<UInt8>) -> String? {
        if value.count <= 40, marks.contains(where: { value.starts(with: $0) }) { return nil }
        // What was masked already stays as it is.
        if value.isEmpty || value.starts(with: hidden.utf8) && value.count <= hidden.utf8.count + 4 { return nil }
        let isToken = value.allSatisfy { EncodedText.isBase64($0) || $0 == 0x2E || $0 == 0x3D || $0 == 0x7E }
        guard isToken, value.count >= shortestShown else { return hidden }
        return hidden + String(decoding: value.suffix(4), as: UTF8.self)
    }
}
