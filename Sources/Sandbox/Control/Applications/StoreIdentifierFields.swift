import Masking
import Traffic
import Wire

/// Store ids are digit strings; numbers are taken too (CONTRACT, section 1, "Association").
extension ControlFields {
    func storeIdentifiers(_ name: String) throws(Refusal) -> [String] {
        var identifiers: [String] = []
        for (index, item) in try array(name).enumerated() {
            identifiers.append(try storeIdentifier(item, "\(name)/\(index)"))
        }
        return identifiers
    }

    /// Nil when there is none.
    func storeIdentifier(_ name: String) throws(Refusal) -> String? {
        guard let item = value(name) else { return nil }
        return try storeIdentifier(item, name)
    }

    private func storeIdentifier(_ item: JSON, _ place: String) throws(Refusal) -> String {
        let text = item.string ?? item.wholeNumber.map(String.init) ?? ""
        guard (1...20).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw refusal(
                place,
                .storeIdentifier,
                evidence: item.string.map { Masking.excerpt($0, 32) } ?? item.typeName
            )
        }
        return text
    }
}
