import Testing

/// A text, and what the journal keeps of it.
struct MaskingCase: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let masked: String

    init(_ name: String, _ text: String, _ masked: String) {
        self.name = name
        self.text = text
        self.masked = masked
    }

    /// A text that stays as it is.
    init(_ name: String, kept text: String) { self.init(name, text, text) }

    var testDescription: String { name }
}
