/// Why bytes are not a whole compressed stream, or too much of one.
package enum CompressionFault: Error, Equatable {
    /// The decoded bytes are more than the limit.
    case tooLarge
    /// What is wrong, in zlib's words but for what follows the end, and the byte of the coded stream at which it was said.
    case broken(String, at: Int)
    /// The bytes end within the stream.
    case cut
    /// zlib had no memory.
    case exhausted
}
