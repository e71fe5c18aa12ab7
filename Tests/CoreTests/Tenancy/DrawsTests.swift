import Testing
import Wire

@testable import Core

@Suite struct DrawsTests {
    @Test func `tenants of one seed give out different secrets, each the same again`() throws {
        let names = ["one", "two", "one"].map(TenantName.init)
        let secrets = names.map { name in
            var draws = Draws(seed: 7)
            return GivenSecret.make(&draws, for: name)
        }
        #expect(secrets[0] == secrets[2] && secrets[0] != secrets[1])
    }

    @Test func `one seed gives these draws for ever`() {
        // SHA-256 over seed, counter and block, each eight bytes, computed by another program.
        var draws = Draws(seed: 42)
        let found = [Hex.encode(draws.bytes(8)), Hex.encode(draws.bytes(40)), draws.digits(18)]
        #expect(
            found == [
                "8dfbdbf27579dc11",
                "35a3807b5b9935e44b4c2a8a1ebe629e84f0848f1f743a514c35de258709f7978eae9a35d615d769",
                "301623688368990047",
            ]
        )
        #expect(draws == Draws(seed: 42, count: 3))
    }

    @Test func `draws go on where a stored count stands, and seeds differ`() {
        var whole = Draws(seed: 7)
        _ = whole.bytes(3)
        var resumed = Draws(seed: 7, count: 1)
        var other = Draws(seed: 8, count: 1)
        let next = whole.bytes(16)
        #expect(resumed.bytes(16) == next && other.bytes(16) != next && whole.bytes(0) == [])
    }

    @Test func `a token id of a seed is fixed`() {
        var draws = Draws(seed: 42)
        #expect(Identifiers.tokenID(.visa, &draws) == "DNITHE119271076134746478")
    }

    @Test func `identifiers have the shape of their network`() {
        var draws = Draws(seed: 1)
        let shapes: [(String, String)] = (0..<50).flatMap { _ in
            [
                (Identifiers.tokenID(.visa, &draws), "DNITHE d18"),
                (Identifiers.tokenID(.mastercard, &draws), "DAPLMC d10 x32"),
                (Identifiers.tokenID(.amex, &draws), "AXTR x28"), (Identifiers.tokenID(.discover, &draws), "DSTR x28"),
                (Identifiers.primaryAccountIdentifier(.visa, &draws), "V- x30"),
                (Identifiers.primaryAccountIdentifier(.mastercard, &draws), "FAPLMC d10 x32"),
                (Identifiers.primaryAccountIdentifier(.amex, &draws), "AXFP x28"),
                (Identifiers.primaryAccountIdentifier(.discover, &draws), "DSFP x28"),
                (Identifiers.deviceID(&draws), "dev- x16"), (Identifiers.secureElementID(&draws), "X48"),
                (Identifiers.sessionID(&draws), "ses- x24"), (Identifiers.serialNumber(&draws), "x32"),
            ]
        }
        #expect(shapes.filter { !fits($0.0, $0.1) }.map(\.0) == [])
        #expect(Set(shapes.map(\.0)).count == shapes.count)
    }

    @Test func `token numbers are Luhn-valid numbers of the network's token range`() {
        var draws = Draws(seed: 1)
        let wrong = PaymentNetwork.allCases.flatMap { network in
            (0..<50).map { _ in (network, Identifiers.tokenNumber(network, &draws)) }
        }.filter { network, number in
            !Luhn.isValid(number) || !number.hasPrefix(network.tokenRange)
                || number.utf8.count != network.tokenNumberLength || PaymentNetwork(pan: number) != network
                || !network.panLengths.contains(number.utf8.count)
        }
        #expect(wrong.map(\.1) == [])
    }

    /// Whether a text is made of a literal, `d` digits, `x` lower-case or `X` upper-case hexadecimal digits.
    private func fits(_ text: String, _ shape: String) -> Bool {
        var rest = Array(text.utf8)[...]
        for part in shape.split(separator: " ") {
            guard let kind = part.utf8.first, let count = Int(part.dropFirst()), count > 0 else {
                guard rest.starts(with: Array(part.utf8)) else { return false }
                rest = rest.dropFirst(part.utf8.count)
                continue
            }
            let alphabet = kind == 0x64 ? "0123456789" : kind == 0x78 ? "0123456789abcdef" : "0123456789ABCDEF"
            guard rest.count >= count, rest.prefix(count).allSatisfy(Array(alphabet.utf8).contains) else {
                return false
            }
            rest = rest.dropFirst(count)
        }
        return rest.isEmpty
    }
}
