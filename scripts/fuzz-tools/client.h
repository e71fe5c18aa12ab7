// Sockets, tallies and what is done between batches.
#ifndef FUZZ_CLIENT_H
#define FUZZ_CLIENT_H

#include "fuzz.h"

#include <sys/types.h>

// A run with so many findings ends.
enum { MOST_FAILURES = 20 };

struct run {
  uint16_t ports[2];  // API, control
  pid_t server;
  uint64_t seed, first, count, batch;
  double patience;  // Seconds within which an answer must come
  const char *folder;
  struct corpus corpus;
  size_t failures;
};

double seconds_now(void);
// A socket to the server, from an address of the slot's own, so that ports of ended connections do not run out. -1: none.
int connect_to(const struct run *run, bool control, size_t slot, bool blocking);
// Waits for one answer of a request; false when none came. `body` gets all bytes of it.
bool exchange(const struct run *run, bool control, const uint8_t *data, size_t count, struct answer *answer,
              struct bytes *body);
bool server_lives(const struct run *run);

// A finding: keeps the request in a file that `scripts/fuzz replay` sends again.
void report(struct run *run, uint64_t number, bool control, const struct bytes *bytes, const char *why);

// Counts an answer; tells whether it may be what it is.
bool tally(const struct answer *answer, const uint8_t *data, size_t count);
void tally_connection(const char *what);
void tally_print(const struct run *run, double seconds);

// Puts the worlds back as they were, removes tenants that names made, notes the memory. With `all`, every request of the
// corpus is sent unchanged first and must be answered as it was at the start.
void between_batches(struct run *run, bool all);

#endif
