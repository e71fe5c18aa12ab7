#include <http_parser.h>

// Bit fields and enumeration casts, so that Swift sees plain integers.
static inline int shim_http_errno(const http_parser *parser) { return (int)HTTP_PARSER_ERRNO(parser); }
static inline const char *shim_http_errno_description(int number) {
    return http_errno_description((enum http_errno)number);
}
static inline int shim_http_is_chunked(const http_parser *parser) { return (parser->flags & F_CHUNKED) != 0; }
// An upgrade is never accepted, so the bytes after the head are always read as HTTP.
static inline void shim_http_ignore_upgrade(http_parser *parser) { parser->upgrade = 0; }
static inline int shim_http_status(const http_parser *parser) { return (int)parser->status_code; }
