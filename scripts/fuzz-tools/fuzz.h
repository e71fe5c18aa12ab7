// What the parts of the request fuzzer share.
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- Draws: everything that is random comes from the seed and the number of the request -------------------------------

struct draw {
  uint64_t state;
};

uint64_t draw_next(struct draw *draw);
// From 0 up to and without `end`; 0 when `end` is 0.
size_t draw_below(struct draw *draw, size_t end);
bool draw_once_in(struct draw *draw, size_t count);

// --- Bytes that grow --------------------------------------------------------------------------------------------------

struct bytes {
  uint8_t *data;
  size_t count, room;
};

void bytes_clear(struct bytes *bytes);
void bytes_free(struct bytes *bytes);
void bytes_add(struct bytes *bytes, const void *data, size_t count);
void bytes_text(struct bytes *bytes, const char *text);
// Replaces the range from `start` to `end`; `data` must not lie in `bytes`.
void bytes_replace(struct bytes *bytes, size_t start, size_t end, const void *data, size_t count);

// --- Mutations --------------------------------------------------------------------------------------------------------

// One change of a run of bytes that knows nothing of what they mean.
void mutate_bytes(struct draw *draw, struct bytes *bytes);
// One change of a JSON document; of something else, as of plain bytes.
void mutate_json(struct draw *draw, struct bytes *bytes);
// One change of what stands between the quotes of a JSON string: a token, hexadecimal, base64 or words.
void mutate_string(struct draw *draw, struct bytes *bytes);
// One change of a compact JWS or JWE: three or five parts.
void mutate_jose(struct draw *draw, struct bytes *bytes);
// A word that readers stumble over.
const char *draw_word(struct draw *draw, size_t *count);

// --- Corpus -----------------------------------------------------------------------------------------------------------

enum entry_flag {
  ENTRY_CONTROL = 1,   // For the control port, not the API's.
  ENTRY_PINNED = 2,    // Only body and query are changed: it must stay in the tenant that it names.
  ENTRY_CUT = 4,       // Always sent with the writing side closed, which ends a wait.
  ENTRY_BOUNDARY = 8,  // Sent unchanged between batches.
};

struct entry {
  uint8_t flags;
  uint16_t weight, status;
  const uint8_t *data;
  size_t count;
};

struct corpus {
  struct entry *entries;
  size_t count, total_weight;
};

struct corpus corpus_read(const char *path);

// A request that is to be sent.
struct mutant {
  struct bytes bytes;
  bool control;
  // The bytes are one request whatever was changed in it, so exactly one answer must come. Else the writing side is
  // closed after them, and as many answers come as the server finds requests.
  bool framed;
  bool head_only;  // The answer to HEAD has no body.
  bool any_head;   // Some part of unframed bytes may be a HEAD request.
};

// The mutant with this number. Only seed, number and corpus decide.
void mutant_make(struct mutant *mutant, const struct corpus *corpus, uint64_t seed, uint64_t number, struct draw *draw);

// --- Answers ----------------------------------------------------------------------------------------------------------

struct answer {
  int status;
  bool closes;       // Connection: close
  bool ordered;      // A fault rule of the tenant made it.
  char codes[96];    // X-Sandbox-Diagnosis, the beginning
  size_t count;      // How many bytes it has
};

enum answer_state { ANSWER_WHOLE, ANSWER_PART, ANSWER_BAD };

// Reads the first answer of the bytes. `bodiless` is for HEAD. `why` tells what is bad.
enum answer_state answer_read(const uint8_t *data, size_t count, bool bodiless, struct answer *answer, const char **why);

#endif
