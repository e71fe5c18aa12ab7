// Changes of what stands in a JSON string: compact tokens, encoded bytes, words.

#include "fuzz.h"

#include <string.h>

static const char base64url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static int value(uint8_t byte) {
  const char *found = byte ? strchr(base64url, byte) : NULL;
  return found ? (int)(found - base64url) : -1;
}

// Gives false for what is not base64url.
static bool decode(const uint8_t *data, size_t count, struct bytes *out) {
  uint32_t bits = 0;
  int held = 0;
  for (size_t i = 0; i < count; i++) {
    int six = value(data[i]);
    if (six < 0) return false;
    bits = bits << 6 | (uint32_t)six;
    held += 6;
    if (held >= 8) {
      uint8_t byte = (uint8_t)(bits >> (held -= 8));
      bytes_add(out, &byte, 1);
    }
  }
  return true;
}

static void encode(const uint8_t *data, size_t count, struct bytes *out) {
  uint32_t bits = 0;
  int held = 0;
  for (size_t i = 0; i < count; i++) {
    bits = bits << 8 | data[i];
    for (held += 8; held >= 6;) bytes_add(out, &base64url[bits >> (held -= 6) & 63], 1);
  }
  if (held) bytes_add(out, &base64url[bits << (6 - held) & 63], 1);
}

struct span {
  size_t start, end;
};

// The parts between the dots; at most `most`.
static size_t split(const struct bytes *bytes, struct span *parts, size_t most) {
  size_t count = 0, start = 0;
  for (size_t i = 0; i <= bytes->count && count < most; i++)
    if (i == bytes->count || bytes->data[i] == '.') {
      parts[count++] = (struct span){start, i};
      start = i + 1;
    }
  return count;
}

static bool is_jose(const struct bytes *bytes) {
  size_t dots = 0;
  if (bytes->count < 20 || bytes->data[0] != 'e' || bytes->data[1] != 'y') return false;
  for (size_t i = 0; i < bytes->count; i++) {
    if (bytes->data[i] == '.') dots++;
    else if (value(bytes->data[i]) < 0) return false;
  }
  return dots == 2 || dots == 4;
}

// Another value of a header member that decides what is done with the rest.
static void change_header(struct draw *draw, struct bytes *json) {
  static const char *const members[] = {
      "\"alg\":\"none\"", "\"alg\":\"HS256\"", "\"alg\":\"RS256\"", "\"alg\":\"ES256\"", "\"alg\":\"PS512\"",
      "\"alg\":\"EdDSA\"", "\"alg\":\"ES512\"", "\"alg\":\"RSA-OAEP\"", "\"alg\":\"dir\"", "\"enc\":\"A128CBC-HS256\"",
      "\"enc\":\"A256GCM\"", "\"kid\":\"\"", "\"kid\":null", "\"crit\":[\"exp\"]", "\"crit\":[]", "\"b64\":false",
      "\"zip\":\"DEF\"", "\"jwk\":{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}", "\"apu\":\"\"",
      "\"epk\":{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}", "\"epk\":{\"kty\":\"EC\",\"crv\":\"P-521\"}",
      "\"epk\":[]", "\"x5c\":[\"MIIB\"]", "\"typ\":\"JWE\"", "\"cty\":\"JWT\"",
  };
  const char *member = members[draw_below(draw, sizeof members / sizeof *members)];
  if (json->count < 2 || json->data[0] != '{') return;
  if (json->data[1] != '}') bytes_replace(json, 1, 1, ",", 1);
  bytes_replace(json, 1, 1, member, strlen(member));
}

void mutate_jose(struct draw *draw, struct bytes *bytes) {
  struct span parts[5];
  size_t count = split(bytes, parts, 5), chosen = draw_below(draw, count), other = draw_below(draw, count);
  struct span part = parts[chosen];
  struct bytes plain = {0}, whole = {0};
  switch (draw_below(draw, 7)) {
  case 0:
  case 1:
  case 2:
    // The header most often: it is read first and decides most.
    if (draw_once_in(draw, 2)) part = parts[0];
    if (!decode(bytes->data + part.start, part.end - part.start, &plain)) break;
    if (part.start == 0 && draw_once_in(draw, 2)) change_header(draw, &plain);
    else if (plain.count && plain.data[0] == '{') mutate_json(draw, &plain);
    else mutate_bytes(draw, &plain);
    encode(plain.data, plain.count, &whole);
    bytes_replace(bytes, part.start, part.end, whole.data, whole.count);
    break;
  case 3: bytes_replace(bytes, part.start, part.end, NULL, 0); break;
  case 4:
    bytes_add(&whole, bytes->data + parts[other].start, parts[other].end - parts[other].start);
    bytes_replace(bytes, part.start, part.end, whole.data, whole.count);
    break;
  case 5:
    bytes_add(&whole, ".", 1);
    bytes_add(&whole, bytes->data + part.start, part.end - part.start);
    bytes_replace(bytes, part.end, part.end, whole.data, whole.count);
    break;
  default:
    // Another last character with the same bytes before it: unused bits.
    if (part.end > part.start) bytes->data[part.end - 1] = (uint8_t)base64url[draw_below(draw, 64)];
  }
  bytes_free(&plain);
  bytes_free(&whole);
}

void mutate_string(struct draw *draw, struct bytes *bytes) {
  static const char hex[] = "0123456789abcdefABCDEF";
  static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  size_t digits = 0, base = 0;
  if (is_jose(bytes) && !draw_once_in(draw, 8)) {
    mutate_jose(draw, bytes);
    return;
  }
  for (size_t i = 0; i < bytes->count; i++) {
    digits += bytes->data[i] && strchr(hex, bytes->data[i]) != NULL;
    base += bytes->data[i] && strchr(base64, bytes->data[i]) != NULL;
  }
  // Long and encoded: the bytes are changed and not the encoding, most of the time.
  if (bytes->count >= 16 && base == bytes->count && !draw_once_in(draw, 4)) {
    bool is_hex = digits == bytes->count;
    size_t step = is_hex ? 2 : 4, at = draw_below(draw, bytes->count / step) * step;
    // What stands in front says how the rest is read, so it is hit more often than its share.
    if (draw_once_in(draw, 2)) at = draw_below(draw, bytes->count / step < 40 ? bytes->count / step : 40) * step;
    uint8_t group[4];
    for (size_t i = 0; i < step; i++)
      group[i] = (uint8_t)(is_hex ? hex[draw_below(draw, 16)] : base64[draw_below(draw, 64)]);
    switch (draw_below(draw, 4)) {
    case 0: bytes_replace(bytes, at, at + step, NULL, 0); break;
    case 1: bytes_replace(bytes, at, at, group, step); break;
    default: bytes_replace(bytes, at, at + step, group, step);
    }
    return;
  }
  mutate_bytes(draw, bytes);
}
