#include <zlib.h>

// `inflateInit2` is a macro, which Swift does not import. With the largest window: zlib's own format, with its checks.
static inline int shim_inflate_init_zlib(z_stream *stream) { return inflateInit2(stream, MAX_WBITS); }

// 16 above the largest window: gzip with its checks, and nothing else.
static inline int shim_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, MAX_WBITS + 16); }
