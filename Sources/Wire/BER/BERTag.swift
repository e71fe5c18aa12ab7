/// The kind of an element: the identifier octets of X.690, section 8.1.2, without the bit for "constructed".
package struct BERTag: Hashable, Sendable {
    /// The four classes of X.690, table 1.
    package enum Class: UInt8, Sendable {
        case universal
        case application
        case contextSpecific
        case privateUse
    }

    /// Who fixes the meaning.
    package let tagClass: Class
    /// The number within the class.
    package let number: UInt32

    /// A tag of any class.
    package init(_ tagClass: Class, _ number: UInt32) {
        self.tagClass = tagClass
        self.number = number
    }

    /// A tag of the universal class, of which X.680 fixes the meaning.
    package static func universal(_ number: UInt32) -> BERTag { BERTag(.universal, number) }
    /// `[number]`, of which the enclosing type fixes the meaning.
    package static func context(_ number: UInt32) -> BERTag { BERTag(.contextSpecific, number) }

    package static let endOfContents = universal(0)
    package static let boolean = universal(1)
    package static let integer = universal(2)
    package static let bitString = universal(3)
    package static let octetString = universal(4)
    package static let null = universal(5)
    package static let objectIdentifier = universal(6)
    package static let utf8String = universal(12)
    package static let sequence = universal(16)
    package static let set = universal(17)
    package static let printableString = universal(19)
    package static let t61String = universal(20)
    package static let ia5String = universal(22)
    package static let utcTime = universal(23)
    package static let generalizedTime = universal(24)
}

extension BERTag: CustomStringConvertible {
    /// The name that evidence uses, for example `SEQUENCE` or `[0]`.
    package var description: String {
        switch (tagClass, number) {
        case (.universal, 0): "end of contents"
        case (.universal, 1): "BOOLEAN"
        case (.universal, 2): "INTEGER"
        case (.universal, 3): "BIT STRING"
        case (.universal, 4): "OCTET STRING"
        case (.universal, 5): "NULL"
        case (.universal, 6): "OBJECT IDENTIFIER"
        case (.universal, 12): "UTF8String"
        case (.universal, 16): "SEQUENCE"
        case (.universal, 17): "SET"
        case (.universal, _): "[UNIVERSAL \(number)]"
        case (.application, _): "[APPLICATION \(number)]"
        case (.contextSpecific, _): "[\(number)]"
        case (.privateUse, _): "[PRIVATE \(number)]"
        }
    }
}
