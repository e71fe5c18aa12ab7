// Changes of a JSON document that know its members and values.

#include "fuzz.h"

#include <string.h>

enum { MOST_VALUES = 512, MOST_DEPTH = 64 };

struct value {
  size_t start, end;
  // Where the member begins (its name's quote), or the value itself in an array; the document's own value has none.
  size_t member;
  bool is_item;
};

struct scan {
  const uint8_t *data;
  size_t count, at, depth;
  struct value values[MOST_VALUES];
  size_t found;
};

static void skip_space(struct scan *scan) {
  while (scan->at < scan->count && memchr(" \t\r\n", scan->data[scan->at], 4)) scan->at++;
}

static bool skip_string(struct scan *scan) {
  for (scan->at++; scan->at < scan->count; scan->at++) {
    if (scan->data[scan->at] == '\\') scan->at++;
    else if (scan->data[scan->at] == '"') {
      scan->at++;
      return true;
    }
  }
  return false;
}

static bool skip_value(struct scan *scan, size_t member, bool is_item);

static bool skip_items(struct scan *scan, uint8_t end, bool has_names) {
  scan->at++;
  skip_space(scan);
  if (scan->at < scan->count && scan->data[scan->at] == end) {
    scan->at++;
    return true;
  }
  while (scan->at < scan->count) {
    skip_space(scan);
    size_t member = scan->at;
    if (has_names) {
      if (scan->at >= scan->count || scan->data[scan->at] != '"' || !skip_string(scan)) return false;
      skip_space(scan);
      if (scan->at >= scan->count || scan->data[scan->at++] != ':') return false;
      skip_space(scan);
    }
    if (!skip_value(scan, member, true)) return false;
    skip_space(scan);
    if (scan->at >= scan->count) return false;
    if (scan->data[scan->at] == end) {
      scan->at++;
      return true;
    }
    if (scan->data[scan->at++] != ',') return false;
  }
  return false;
}

static bool skip_value(struct scan *scan, size_t member, bool is_item) {
  if (scan->at >= scan->count || ++scan->depth > MOST_DEPTH) return false;
  size_t start = scan->at, slot = scan->found < MOST_VALUES ? scan->found++ : MOST_VALUES;
  bool good = true;
  switch (scan->data[scan->at]) {
  case '{': good = skip_items(scan, '}', true); break;
  case '[': good = skip_items(scan, ']', false); break;
  case '"': good = skip_string(scan); break;
  default:
    while (scan->at < scan->count && !memchr(",]} \t\r\n", scan->data[scan->at], 7)) scan->at++;
    good = scan->at > start;
  }
  scan->depth--;
  if (slot < MOST_VALUES) scan->values[slot] = (struct value){start, scan->at, member, is_item};
  return good;
}

// Something of another kind.
static void add_other(struct draw *draw, struct bytes *out) {
  static const char *const others[] = {
      "null", "true", "false", "0", "-1", "1.5", "1e3", "9007199254740992", "9007199254740993", "1e400", "\"\"", "\" \"",
      "\"x\"", "\"0\"", "\"\\ud83d\\ude00\"", "\"\\ud800\"", "\"\\u0000\"", "[]", "{}", "[null]", "[[]]", "{\"\":null}",
      "\"4111111111111111\"", "4111111111111111", "\"2030-01-01T00:00:00Z\"", "\"1230\"", "\"../..\"", "\"%00\"",
      "[\"a\",\"a\"]", "{\"0\":\"a\",\"1\":\"b\"}", "\"[\\\"a\\\"]\"", "-0", "0.1e-5", "\"visa\"", "\"DEMOBANK01\"",
  };
  size_t count;
  switch (draw_below(draw, 12)) {
  case 0:
    // Deep, around the limit of 64.
    count = draw_once_in(draw, 4) ? 20000 : 55 + draw_below(draw, 20);
    for (size_t i = 0; i < count; i++) bytes_text(out, draw_once_in(draw, 2) ? "[" : "{\"a\":");
    bytes_text(out, "1");
    break;
  case 1:
    count = 55 + draw_below(draw, 20);
    for (size_t i = 0; i < count; i++) bytes_text(out, "[");
    for (size_t i = 0; i < count; i++) bytes_text(out, "]");
    break;
  case 2:
    bytes_text(out, "\"");
    count = 1 + draw_below(draw, draw_once_in(draw, 16) ? 60000 : 600);
    for (size_t i = 0; i < count; i++) bytes_text(out, draw_once_in(draw, 8) ? "\xc3\xa9" : "A");
    bytes_text(out, "\"");
    break;
  case 3:
    bytes_text(out, "[");
    count = draw_below(draw, draw_once_in(draw, 16) ? 5000 : 50);
    for (size_t i = 0; i < count; i++) bytes_text(out, i ? ",1" : "1");
    bytes_text(out, "]");
    break;
  default: bytes_text(out, others[draw_below(draw, sizeof others / sizeof *others)]);
  }
}

void mutate_json(struct draw *draw, struct bytes *bytes) {
  static struct scan scan;
  scan.data = bytes->data;
  scan.count = bytes->count;
  scan.at = scan.depth = scan.found = 0;
  skip_space(&scan);
  if (!skip_value(&scan, 0, false) || draw_once_in(draw, 24)) {
    mutate_bytes(draw, bytes);
    return;
  }
  struct value chosen = scan.values[draw_below(draw, scan.found)], other = scan.values[draw_below(draw, scan.found)];
  struct bytes text = {0};
  bool is_string = bytes->data[chosen.start] == '"';
  switch (draw_below(draw, 9)) {
  case 0:
  case 1:
    if (!chosen.is_item) break;
    // With one of the commas beside it, if there is one.
    if (chosen.end < bytes->count && bytes->data[chosen.end] == ',') chosen.end++;
    else if (chosen.member > 0 && bytes->data[chosen.member - 1] == ',') chosen.member--;
    bytes_replace(bytes, chosen.member, chosen.end, NULL, 0);
    break;
  case 2:
    if (!chosen.is_item) break;
    bytes_add(&text, bytes->data + chosen.member, chosen.end - chosen.member);
    bytes_text(&text, ",");
    bytes_replace(bytes, chosen.member, chosen.member, text.data, text.count);
    break;
  case 3:
  case 4:
    add_other(draw, &text);
    bytes_replace(bytes, chosen.start, chosen.end, text.data, text.count);
    break;
  case 5:
    bytes_add(&text, bytes->data + other.start, other.end - other.start);
    bytes_replace(bytes, chosen.start, chosen.end, text.data, text.count);
    break;
  case 6:
    // The name, or an unknown member beside it.
    if (!chosen.is_item || chosen.member == chosen.start) break;
    if (draw_once_in(draw, 2)) bytes_replace(bytes, chosen.member + 1, chosen.member + 1, "x", 1);
    else bytes_replace(bytes, chosen.member, chosen.member, "\"extra\":1,", 10);
    break;
  default:
    if (!is_string) {
      add_other(draw, &text);
      bytes_replace(bytes, chosen.start, chosen.end, text.data, text.count);
      break;
    }
    bytes_add(&text, bytes->data + chosen.start + 1, chosen.end - chosen.start - 2);
    for (size_t times = 1 + draw_below(draw, 2); times > 0; times--) mutate_string(draw, &text);
    bytes_replace(bytes, chosen.start + 1, chosen.end - 1, text.data, text.count);
  }
  bytes_free(&text);
}
