import Core
import Wire

/// `x-request-id`: the caller's when it is usable, else one of the tenant's.
package enum RequestID {
    package static func isUsable(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            } && !holdsCardNumber(text)
    }

    static func make(_ draws: inout Draws) -> String { "req-" + Hex.encode(draws.bytes(10)) }

    /// True when the digits of the text, hyphens and dots left out, hold a run that passes as a card number.
    private static func holdsCardNumber(_ text: String) -> Bool {
        let digits = text.utf8.filter { $0 != 0x2D && $0 != 0x2E && $0 != 0x5F }
        return digits.split { !(0x30...0x39).contains($0) }.contains { run in
            guard (13...19).contains(run.count) else { return false }
            let number = String(decoding: run, as: UTF8.self)
            return Luhn.isValid(number) && PaymentNetwork(pan: number) != nil
        }
    }
}
