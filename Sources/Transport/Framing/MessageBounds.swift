internal import CHTTPParser

/// http-parser's own bound of a head.
enum MessageBounds {
    /// Lifts it for the whole process; `HeadScanner` and `AnswerParser` set ours.
    static func lift() { http_parser_set_max_header_size(UInt32.max / 2) }
}
