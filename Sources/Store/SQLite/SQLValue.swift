/// A value that is bound to a statement's parameter.
enum SQLValue {
    case text(String)
    /// Text that is UTF-8 already: a document.
    case utf8([UInt8])
    case blob([UInt8])
    case integer(Int64)
}
