extension BERElement {
    /// The instant of a UTCTime or GeneralizedTime in the only form that certificates may use
    /// (RFC 5280, section 4.1.2.5): seconds, no fraction, `Z`.
    package func time() throws(BERFault) -> Instant {
        let digits: Int
        switch tag {
        case .utcTime: digits = 12
        case .generalizedTime: digits = 14
        default: throw fault
        }
        guard !isConstructed, content.count == digits + 1, contentBytes.last == UInt8(ascii: "Z") else { throw fault }
        var values: [Int] = []
        for octet in contentBytes.dropLast() {
            guard (0x30...0x39).contains(octet) else { throw fault }
            values.append(Int(octet - 0x30))
        }
        let pairs = stride(from: 0, to: digits, by: 2).map { values[$0] * 10 + values[$0 + 1] }
        // Two-digit years: 50 and above are of the 20th century.
        let year = digits == 14 ? pairs[0] * 100 + pairs[1] : pairs[0] + (pairs[0] >= 50 ? 1_900 : 2_000)
        let rest = pairs.suffix(5).map { $0 }
        let civil = CivilTime(
            year: year,
            month: rest[0],
            day: rest[1],
            hour: rest[2],
            minute: rest[3],
            second: rest[4],
            millisecond: 0
        )
        guard let instant = Instant(civil) else { throw fault }
        return instant
    }
}
