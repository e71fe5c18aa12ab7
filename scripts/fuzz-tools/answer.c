// Reads what the server answers, as strictly as HTTP/1.1 has it.

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_token(uint8_t byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
      || (byte && strchr("!#$%&'*+-.^_`|~", byte));
}

static bool named(const uint8_t *line, size_t length, const char *name) {
  size_t count = strlen(name);
  return length > count && line[count] == ':' && strncasecmp((const char *)line, name, count) == 0;
}

// The end of a chunked body, 0 when there is more to come, and -1 when it is bad.
static long chunked_end(const uint8_t *data, size_t count) {
  size_t at = 0;
  for (;;) {
    const uint8_t *line = at < count ? memmem(data + at, count - at, "\r\n", 2) : NULL;
    if (!line) return count - at > 20 ? -1 : 0;
    char *end;
    unsigned long size = strtoul((const char *)data + at, &end, 16);
    if ((const uint8_t *)end != line || end == (const char *)data + at || size > 1u << 30) return -1;
    at = (size_t)(line - data) + 2;
    if (at + size + 2 > count) return 0;
    if (memcmp(data + at + size, "\r\n", 2) != 0) return -1;
    at += size + 2;
    if (size == 0) return (long)at;
  }
}

static enum answer_state bad(const char **why, const char *text) {
  *why = text;
  return ANSWER_BAD;
}

enum answer_state answer_read(const uint8_t *data, size_t count, bool bodiless, struct answer *answer, const char **why) {
  *answer = (struct answer){0};
  size_t prefix = count < 9 ? count : 9;
  if (memcmp(data, "HTTP/1.1 ", prefix) != 0) return bad(why, "the answer does not begin with HTTP/1.1");
  const uint8_t *end = memmem(data, count, "\r\n\r\n", 4);
  if (!end) return count > 1u << 20 ? bad(why, "the head does not end") : ANSWER_PART;
  for (int i = 9; i < 12; i++) {
    if (data[i] < '0' || data[i] > '9') return bad(why, "the status is not a number");
    answer->status = answer->status * 10 + data[i] - '0';
  }
  if (answer->status < 100 || answer->status > 599 || data[12] != ' ') return bad(why, "the status line is wrong");
  const uint8_t *line = memmem(data, count, "\r\n", 2);
  long length = -1;
  bool is_chunked = false;
  while (line < end) {
    const uint8_t *start = line + 2;
    line = memmem(start, (size_t)(end + 2 - start), "\r\n", 2);
    size_t size = (size_t)(line - start);
    const uint8_t *colon = memchr(start, ':', size);
    if (!colon || colon == start) return bad(why, "a header field has no name");
    for (const uint8_t *at = start; at < colon; at++)
      if (!is_token(*at)) return bad(why, "the name of a header field is wrong");
    for (const uint8_t *at = colon + 1; at < line; at++)
      if ((*at < 0x20 && *at != '\t') || *at >= 0x7F) return bad(why, "the value of a header field is not visible text");
    const uint8_t *value = colon + 1;
    while (value < line && *value == ' ') value++;
    size_t value_size = (size_t)(line - value);
    if (named(start, size, "content-length")) {
      char *after;
      if (length >= 0) return bad(why, "Content-Length stands there twice");
      length = strtol((const char *)value, &after, 10);
      if ((const uint8_t *)after != line || value_size == 0 || length < 0) return bad(why, "Content-Length is not a number");
    } else if (named(start, size, "transfer-encoding")) {
      is_chunked = true;
    } else if (named(start, size, "connection")) {
      answer->closes = value_size == 5 && strncasecmp((const char *)value, "close", 5) == 0;
    } else if (named(start, size, "x-sandbox-fault-applied")) {
      answer->ordered = true;
    } else if (named(start, size, "x-sandbox-diagnosis")) {
      if (value_size >= sizeof answer->codes) value_size = sizeof answer->codes - 1;
      memcpy(answer->codes, value, value_size);
    }
  }
  if (is_chunked && length >= 0) return bad(why, "Content-Length beside Transfer-Encoding");
  size_t head = (size_t)(end - data) + 4;
  answer->count = head;
  if (bodiless || answer->status < 200 || answer->status == 204 || answer->status == 304) return ANSWER_WHOLE;
  if (is_chunked) {
    long body = chunked_end(data + head, count - head);
    if (body < 0) return bad(why, "a chunk is wrong");
    answer->count = head + (size_t)body;
    return body ? ANSWER_WHOLE : ANSWER_PART;
  }
  if (length < 0) return bad(why, "the answer has a body and no length");
  answer->count = head + (size_t)length;
  return answer->count <= count ? ANSWER_WHOLE : ANSWER_PART;
}
