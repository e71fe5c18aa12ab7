// Corpus, and the mutant with a number.

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A record is flags (1 byte), weight (2), status (2), length (4), all little-endian, then the request.
struct corpus corpus_read(const char *path) {
  struct corpus corpus = {0};
  FILE *file = fopen(path, "rb");
  uint8_t head[9];
  if (!file) return corpus;
  while (fread(head, 1, sizeof head, file) == sizeof head) {
    struct entry entry = {
        .flags = head[0],
        .weight = (uint16_t)(head[1] | head[2] << 8),
        .status = (uint16_t)(head[3] | head[4] << 8),
        .count = (size_t)head[5] | (size_t)head[6] << 8 | (size_t)head[7] << 16 | (size_t)head[8] << 24,
    };
    uint8_t *data = malloc(entry.count + 1);
    if (!data || fread(data, 1, entry.count, file) != entry.count) abort();
    entry.data = data;
    corpus.entries = realloc(corpus.entries, (corpus.count + 1) * sizeof *corpus.entries);
    if (!corpus.entries) abort();
    corpus.entries[corpus.count++] = entry;
    corpus.total_weight += entry.weight;
  }
  fclose(file);
  return corpus;
}

static const struct entry *draw_entry(struct draw *draw, const struct corpus *corpus) {
  size_t at = draw_below(draw, corpus->total_weight);
  for (size_t i = 0;; i++) {
    if (at < corpus->entries[i].weight) return &corpus->entries[i];
    at -= corpus->entries[i].weight;
  }
}

enum { MOST_FIELDS = 40 };

// A request taken apart.
struct parts {
  struct bytes method, target, fields[MOST_FIELDS], body;
  size_t count;
};

static void take_apart(const struct entry *entry, struct parts *parts) {
  const uint8_t *data = entry->data, *end = memmem(data, entry->count, "\r\n\r\n", 4);
  const uint8_t *space = memchr(data, ' ', entry->count), *line = memmem(data, entry->count, "\r\n", 2);
  const uint8_t *last = line;
  for (const uint8_t *at = space + 1; at < line; at++)
    if (*at == ' ') last = at;
  parts->count = 0;
  bytes_clear(&parts->method);
  bytes_clear(&parts->target);
  bytes_clear(&parts->body);
  bytes_add(&parts->method, data, (size_t)(space - data));
  bytes_add(&parts->target, space + 1, (size_t)(last - space - 1));
  while (line < end && parts->count < MOST_FIELDS) {
    const uint8_t *start = line + 2;
    line = memmem(start, (size_t)(end + 2 - start), "\r\n", 2);
    if ((size_t)(line - start) > 15 && strncasecmp((const char *)start, "content-length:", 15) == 0) continue;
    bytes_clear(&parts->fields[parts->count]);
    bytes_add(&parts->fields[parts->count++], start, (size_t)(line - start));
  }
  bytes_add(&parts->body, end + 4, entry->count - (size_t)(end + 4 - data));
}

// Header fields that change nothing about where the request ends.
static const char *const whole_fields[] = {
    "X-Request-Id: 4111111111111111", "X-Request-Id: a", "X-Request-Id: \xff", "X-Sandbox-Tenant: fz-main",
    "X-Sandbox-Tenant: UPPER", "X-Sandbox-Tenant: 4111111111111111", "X-Sandbox-Fault: decision=yellow",
    "X-Sandbox-Fault: nonsense", "Authorization: Bearer x", "Authorization: Bearer", "Authorization: Basic Og==",
    "Content-Type: text/plain", "Content-Type: application/json; charset=utf-8", "Content-Type:",
    "Content-Type: application/x-www-form-urlencoded", "Content-Encoding: gzip", "Accept: */*", "Cookie: a=b",
    "Host: other", "Host:", "Expect: 100-continue", "Expect: 200-ok", "Connection: close", "Connection: keep-alive, x",
    "Upgrade: h2c", "If-None-Match: *", "Range: bytes=0-1", "X-Empty:", "Date: Thu, 01 Jan 1970 00:00:00 GMT",
    "Trailer: X-Late", "TE: trailers", "X-Http-Method-Override: DELETE", "Forwarded: for=127.0.0.1", "A: \t ",
};

// What may stand in a part of a framed head: nothing that ends a line.
static void keep_on_line(struct bytes *bytes) {
  for (size_t i = 0; i < bytes->count; i++)
    if (memchr("\r\n\0", bytes->data[i], 3)) bytes->data[i] = '!';
}

static bool begins(const struct bytes *bytes, const char *name) {
  return bytes->count >= strlen(name) && strncasecmp((const char *)bytes->data, name, strlen(name)) == 0;
}

static void mutate_field(struct draw *draw, struct parts *parts) {
  size_t at = draw_below(draw, parts->count);
  struct bytes *field = &parts->fields[at];
  if (draw_once_in(draw, 2) && parts->count < MOST_FIELDS) {
    struct bytes *added = &parts->fields[parts->count++];
    bytes_clear(added);
    if (draw_once_in(draw, 4)) bytes_add(added, field->data, field->count);
    else bytes_text(added, whole_fields[draw_below(draw, sizeof whole_fields / sizeof *whole_fields)]);
    return;
  }
  uint8_t *colon = field->count ? memchr(field->data, ':', field->count) : NULL;
  if (draw_once_in(draw, 4) || !colon) {
    // Without this field.
    struct bytes gone = *field;
    memmove(field, field + 1, (parts->count - at - 1) * sizeof *field);
    parts->fields[--parts->count] = gone;
    return;
  }
  struct bytes value = {0};
  size_t start = (size_t)(colon - field->data) + 1;
  while (start < field->count && field->data[start] == ' ') start++;
  if (begins(field, "authorization: bearer ")) start += 7;
  bytes_add(&value, field->data + start, field->count - start);
  mutate_string(draw, &value);
  bytes_replace(field, start, field->count, value.data, value.count);
  bytes_free(&value);
}

static void mutate_target(struct draw *draw, struct bytes *target, bool only_query) {
  uint8_t *mark = target->count ? memchr(target->data, '?', target->count) : NULL;
  size_t start = mark ? (size_t)(mark - target->data) + 1 : target->count;
  struct bytes part = {0};
  if (only_query || (mark && draw_once_in(draw, 2))) {
    if (!mark) return;
    bytes_add(&part, target->data + start, target->count - start);
    mutate_bytes(draw, &part);
    bytes_replace(target, start, target->count, part.data, part.count);
  } else if (draw_once_in(draw, 6)) {
    // Far longer than the 8 KiB that a target may have.
    for (size_t i = 7000 + draw_below(draw, 3000); i > 0; i--) bytes_text(target, "a");
  } else {
    bytes_add(&part, target->data, start);
    mutate_bytes(draw, &part);
    bytes_replace(target, 0, start, part.data, part.count);
  }
  if (target->count == 0) bytes_text(target, "/");
  bytes_free(&part);
}

static void mutate_method(struct draw *draw, struct bytes *method) {
  static const char *const methods[] = {
      "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "PROPFIND", "BREW", "PRI", "G\xff",
  };
  bytes_clear(method);
  bytes_text(method, methods[draw_below(draw, sizeof methods / sizeof *methods)]);
}

static bool is_form(const struct parts *parts) {
  for (size_t i = 0; i < parts->count; i++)
    if (begins(&parts->fields[i], "content-type: application/x-www")) return true;
  return false;
}

static void mutate_body(struct draw *draw, struct parts *parts) {
  if (parts->body.count == 0) {
    if (draw_once_in(draw, 2)) bytes_text(&parts->body, draw_once_in(draw, 2) ? "{}" : "\xff");
    return;
  }
  if (!is_form(parts)) {
    mutate_json(draw, &parts->body);
    return;
  }
  // A form: one of its values.
  struct bytes value = {0};
  size_t start = 0, end;
  for (size_t i = 0; i < parts->body.count; i++)
    if (parts->body.data[i] == '=' && (start == 0 || draw_once_in(draw, 2))) start = i + 1;
  uint8_t *next = start < parts->body.count ? memchr(parts->body.data + start, '&', parts->body.count - start) : NULL;
  end = next ? (size_t)(next - parts->body.data) : parts->body.count;
  bytes_add(&value, parts->body.data + start, end - start);
  if (draw_once_in(draw, 4)) {
    mutate_bytes(draw, &parts->body);
  } else {
    mutate_string(draw, &value);
    bytes_replace(&parts->body, start, end, value.data, value.count);
  }
  bytes_free(&value);
}

// Puts the request together again; chunked when a body is there and the draw says so.
static void put_together(struct draw *draw, const struct parts *parts, struct bytes *out) {
  char line[64];
  bytes_add(out, parts->method.data, parts->method.count);
  bytes_text(out, " ");
  bytes_add(out, parts->target.data, parts->target.count);
  bytes_text(out, " HTTP/1.1\r\n");
  for (size_t i = 0; i < parts->count; i++) {
    bytes_add(out, parts->fields[i].data, parts->fields[i].count);
    bytes_text(out, "\r\n");
  }
  size_t count = parts->body.count;
  if (count == 0 || !draw_once_in(draw, 6)) {
    if (count > 0 || draw_once_in(draw, 4)) {
      snprintf(line, sizeof line, "Content-Length: %zu\r\n", count);
      bytes_text(out, line);
    }
    bytes_text(out, "\r\n");
    bytes_add(out, parts->body.data, count);
    return;
  }
  bytes_text(out, "Transfer-Encoding: chunked\r\n\r\n");
  for (size_t at = 0; at < count;) {
    size_t piece = 1 + draw_below(draw, count - at < 64 || draw_once_in(draw, 3) ? count - at : count / 4 + 1);
    if (piece > count - at) piece = count - at;
    snprintf(line, sizeof line, draw_once_in(draw, 8) ? "%zX;a=b\r\n" : "%zx\r\n", piece);
    bytes_text(out, line);
    bytes_add(out, parts->body.data + at, piece);
    bytes_text(out, "\r\n");
    at += piece;
  }
  bytes_text(out, draw_once_in(draw, 8) ? "0\r\nX-Late: a\r\n\r\n" : "0\r\n\r\n");
}

// Lies about where the request ends, and broken lines.
static void break_framing(struct draw *draw, struct bytes *bytes) {
  static const char *const fields[] = {
      "Content-Length: 0\r\n", "Content-Length: 1\r\n", "Content-Length: 99999999\r\n", "Content-Length: -1\r\n",
      "Content-Length: 18446744073709551616\r\n", "Content-Length: 5, 5\r\n", "Content-Length: +3\r\n",
      "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: chunked, chunked\r\n",
      "Transfer-Encoding: xchunked\r\n", "Transfer-Encoding : chunked\r\n", "Transfer-Encoding:\tchunked\r\n", " folded\r\n",
      "\r\n", "Host: a\r\nHost: b\r\n", ": none\r\n", "No-Colon\r\n", "Expect: 100-continue\r\n", "Upgrade: websocket\r\n",
      "Connection: Upgrade\r\n", "X: \n y\r\n", "X: a\rb\r\n",
  };
  uint8_t *end = bytes->count ? memmem(bytes->data, bytes->count, "\r\n\r\n", 4) : NULL;
  size_t at = end ? (size_t)(end - bytes->data) + 2 : draw_below(draw, bytes->count + 1);
  const char *field = fields[draw_below(draw, sizeof fields / sizeof *fields)];
  uint8_t *length = bytes->count ? memmem(bytes->data, bytes->count, "Content-Length: ", 16) : NULL;
  uint8_t *line = bytes->count ? memmem(bytes->data, bytes->count, "\r\n", 2) : NULL;
  switch (draw_below(draw, 6)) {
  case 0:
  case 1: bytes_replace(bytes, at, at, field, strlen(field)); break;
  case 2:
    if (length) length[16] = (uint8_t)('0' + draw_below(draw, 10));
    break;
  case 3:
    // Very many header bytes: beyond 64 KiB.
    for (size_t i = draw_below(draw, 5000); i > 0; i--) bytes_replace(bytes, at, at, "X-Many: aaaaaaa\r\n", 17);
    break;
  case 4:
    // The request line.
    if (line) {
      struct bytes first = {0};
      size_t end_of_line = (size_t)(line - bytes->data);
      bytes_add(&first, bytes->data, end_of_line);
      mutate_bytes(draw, &first);
      bytes_replace(bytes, 0, end_of_line, first.data, first.count);
      bytes_free(&first);
    }
    break;
  default: mutate_bytes(draw, bytes);
  }
}

// Bodies of pinned entries would act in another tenant, so they are nobody's donors.
static const struct entry *draw_donor(struct draw *draw, const struct corpus *corpus) {
  for (;;) {
    const struct entry *entry = draw_entry(draw, corpus);
    if (!(entry->flags & ENTRY_PINNED)) return entry;
  }
}

void mutant_make(struct mutant *mutant, const struct corpus *corpus, uint64_t seed, uint64_t number, struct draw *draw) {
  static struct parts parts, other;
  struct draw mixed = {seed ^ 0xD1B54A32D192ED03u};
  draw->state = draw_next(&mixed) ^ (number * 0xA24BAED4963EE407u);
  const struct entry *entry = draw_entry(draw, corpus);
  bool is_pinned = entry->flags & ENTRY_PINNED;
  take_apart(entry, &parts);
  for (size_t times = 1 + (draw_once_in(draw, 3) ? draw_below(draw, 4) : 0); times > 0; times--) {
    size_t kind = draw_below(draw, 20);
    if (is_pinned) {
      if (parts.body.count == 0 || kind < 3) mutate_target(draw, &parts.target, true);
      else mutate_body(draw, &parts);
    } else if (kind < 12 && parts.body.count > 0) {
      mutate_body(draw, &parts);
    } else if (kind < 15) {
      mutate_target(draw, &parts.target, false);
    } else if (kind < 18 && parts.count > 0) {
      mutate_field(draw, &parts);
    } else if (kind == 18) {
      // Splices: another operation's body, or its target.
      take_apart(draw_donor(draw, corpus), &other);
      struct bytes *from = draw_once_in(draw, 2) ? &other.body : &other.target;
      struct bytes *to = from == &other.body ? &parts.body : &parts.target;
      if (from == &other.body && to->count > 2 && from->count > 2 && draw_once_in(draw, 2)) {
        size_t cut = draw_below(draw, to->count), start = draw_below(draw, from->count);
        bytes_replace(to, cut, to->count, from->data + start, from->count - start);
      } else {
        bytes_replace(to, 0, to->count, from->data, from->count);
      }
    } else {
      mutate_method(draw, &parts.method);
    }
  }
  keep_on_line(&parts.method);
  keep_on_line(&parts.target);
  for (size_t i = 0; i < parts.count; i++) {
    keep_on_line(&parts.fields[i]);
    // A change may have made one of these; what is about the end of a request is the other kind's.
    if (begins(&parts.fields[i], "content-length") || begins(&parts.fields[i], "transfer-enc")) parts.fields[i].data[0] = 'X';
  }
  bytes_clear(&mutant->bytes);
  put_together(draw, &parts, &mutant->bytes);
  mutant->control = entry->flags & ENTRY_CONTROL;
  mutant->head_only = parts.method.count == 4 && memcmp(parts.method.data, "HEAD", 4) == 0;
  mutant->any_head = false;
  mutant->framed = is_pinned || !((entry->flags & ENTRY_CUT) || draw_once_in(draw, 4));
  if (mutant->framed) return;
  mutant->head_only = false;

  // Pipelined behind another one, changed as bytes, or both.
  if (draw_once_in(draw, 4)) {
    const struct entry *first = draw_donor(draw, corpus);
    if ((first->flags & ENTRY_CONTROL) == (entry->flags & ENTRY_CONTROL))
      bytes_replace(&mutant->bytes, 0, 0, first->data, first->count);
  }
  if (!draw_once_in(draw, 4))
    for (size_t times = 1 + draw_below(draw, 4); times > 0; times--) {
      if (draw_once_in(draw, 2)) break_framing(draw, &mutant->bytes);
      else mutate_bytes(draw, &mutant->bytes);
    }
  mutant->any_head = mutant->bytes.count && memmem(mutant->bytes.data, mutant->bytes.count, "HEAD", 4) != NULL;
}
