// Draws, bytes that grow, and changes that know nothing of what the bytes mean.

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

// SplitMix64: each state gives one number, and near states give unlike ones.
uint64_t draw_next(struct draw *draw) {
  uint64_t z = draw->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

size_t draw_below(struct draw *draw, size_t end) { return end ? draw_next(draw) % end : 0; }

bool draw_once_in(struct draw *draw, size_t count) { return draw_below(draw, count) == 0; }

void bytes_clear(struct bytes *bytes) { bytes->count = 0; }

void bytes_free(struct bytes *bytes) {
  free(bytes->data);
  *bytes = (struct bytes){0};
}

static void bytes_need(struct bytes *bytes, size_t room) {
  if (room <= bytes->room) return;
  while (bytes->room < room) bytes->room = bytes->room ? bytes->room * 2 : 256;
  bytes->data = realloc(bytes->data, bytes->room);
  if (!bytes->data) abort();
}

void bytes_replace(struct bytes *bytes, size_t start, size_t end, const void *data, size_t count) {
  bytes_need(bytes, bytes->count - (end - start) + count);
  if (bytes->count > end) memmove(bytes->data + start + count, bytes->data + end, bytes->count - end);
  if (count) memcpy(bytes->data + start, data, count);
  bytes->count = bytes->count - (end - start) + count;
}

void bytes_add(struct bytes *bytes, const void *data, size_t count) {
  bytes_replace(bytes, bytes->count, bytes->count, data, count);
}

void bytes_text(struct bytes *bytes, const char *text) { bytes_add(bytes, text, strlen(text)); }

#define WORD(text) {text, sizeof(text) - 1}
static const struct {
  const char *text;
  size_t count;
} words[] = {
    WORD("{"), WORD("}"), WORD("["), WORD("]"), WORD("\""), WORD("\\"), WORD(","), WORD(":"), WORD("null"),
    WORD("true"), WORD("{}"), WORD("[]"), WORD("\"\""), WORD("-"), WORD("-0"), WORD("1e400"), WORD("1e-400"),
    WORD("0.1"), WORD("9007199254740993"), WORD("9223372036854775807"), WORD("-9223372036854775808"),
    WORD("18446744073709551616"), WORD("2147483648"), WORD("4294967295"), WORD("65536"),
    WORD("99999999999999999999999999999999"), WORD("\\ud800"), WORD("\\udc00\\ud800"), WORD("\\u0000"), WORD("\\u"),
    WORD("\0"), WORD("\r\n"), WORD("\n"), WORD("\r"), WORD("\r\n\r\n"), WORD("\t"), WORD(" "), WORD("\x7f"),
    WORD("\xff"), WORD("\xc0\x80"), WORD("\xed\xa0\x80"), WORD("\xf4\x90\x80\x80"), WORD("\xef\xbb\xbf"),
    WORD("\xe2\x80\xae"), WORD("e\xcc\x81"), WORD("\xf0\x9f\x92\xb3"), WORD("../"), WORD("..%2f"), WORD("/"),
    WORD("//"), WORD("%"), WORD("%00"), WORD("%2"), WORD("%ff"), WORD("%25"), WORD("?"), WORD("&"), WORD("="),
    WORD("#"), WORD("+"), WORD(";"), WORD("*"), WORD("**"), WORD("~1"), WORD("'"), WORD("4111111111111111"),
    WORD("5555555555554444"), WORD("378282246310005"), WORD("6011111111111117"), WORD("4111 1111 1111 1111"),
    WORD("4111-1111-1111-1111"), WORD("NDExMTExMTExMTExMTExMQ=="), WORD("34313131313131313131313131313131"),
    WORD("2030-01-01T00:00:00Z"), WORD("9999-12-31T23:59:59.999Z"), WORD("2030-02-30T24:00:60+99:99"),
    WORD("1969-12-31T23:59:59Z"), WORD("1230"), WORD("1341"), WORD("0049"), WORD("12/30"), WORD("AAAA"), WORD("AA=="),
    WORD("===="), WORD("-_"), WORD("MIIB"), WORD("308006092a864886f70d010703a080"), WORD("3084ffffffff"),
    WORD("30800000"), WORD("eyJhbGciOiJub25lIn0"), WORD("-----BEGIN CERTIFICATE-----"),
    WORD("-----BEGIN PRIVATE KEY-----"), WORD("DEMOBANK01"), WORD("A1B2C3D4E5.com.demobank.app"), WORD("VISA"),
    WORD("default"), WORD("active"), WORD("HTTP/1.1"), WORD("HTTP/9.9"), WORD("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    WORD("Transfer-Encoding: chunked\r\n"), WORD("Content-Length: 0\r\n"), WORD("0\r\n\r\n"), WORD("ffffffffffffffff\r\n"),
};

const char *draw_word(struct draw *draw, size_t *count) {
  size_t index = draw_below(draw, sizeof words / sizeof *words);
  *count = words[index].count;
  return words[index].text;
}

void mutate_bytes(struct draw *draw, struct bytes *bytes) {
  size_t at = draw_below(draw, bytes->count + 1), length = 1 + draw_below(draw, draw_once_in(draw, 4) ? 64 : 4);
  size_t count, other;
  uint8_t byte = (uint8_t)draw_next(draw), copy[64];
  const char *word;
  switch (bytes->count ? draw_below(draw, 10) : 0) {
  case 0:
  case 1:
    word = draw_word(draw, &count);
    bytes_replace(bytes, at, at, word, count);
    break;
  case 2:
    if (at < bytes->count) bytes->data[at] ^= (uint8_t)(1u << draw_below(draw, 8));
    break;
  case 3:
    if (at < bytes->count) bytes->data[at] = byte;
    break;
  case 4: bytes_replace(bytes, at, at, &byte, 1); break;
  case 5:
    if (length > bytes->count - at) length = bytes->count - at;
    bytes_replace(bytes, at, at + length, NULL, 0);
    break;
  case 6:
    if (length > bytes->count - at) length = bytes->count - at;
    memcpy(copy, bytes->data + at, length);
    for (count = 1 + draw_below(draw, draw_once_in(draw, 8) ? 200 : 2); count > 0; count--)
      bytes_replace(bytes, at, at, copy, length);
    break;
  case 7:
    other = draw_below(draw, bytes->count);
    at = draw_below(draw, bytes->count);
    byte = bytes->data[at];
    bytes->data[at] = bytes->data[other];
    bytes->data[other] = byte;
    break;
  case 8: bytes->count = at; break;
  default:
    word = draw_word(draw, &count);
    if (count > bytes->count - at) count = bytes->count - at;
    if (count) memcpy(bytes->data + at, word, count);
  }
}
