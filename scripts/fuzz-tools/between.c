// What is done between batches, and what is counted.

#include "client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

bool server_lives(const struct run *run) {
  char path[64], line[512], *end;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)run->server);
  FILE *file = fopen(path, "r");
  if (!file) return false;
  size_t count = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  line[count] = 0;
  end = strrchr(line, ')');
  return end && end[1] && end[2] != 'Z' && end[2] != 'X';
}

// Resident kilobytes.
static long resident(const struct run *run) {
  char path[64], line[256];
  long kilobytes = 0;
  snprintf(path, sizeof path, "/proc/%d/status", (int)run->server);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1) break;
  if (file) fclose(file);
  return kilobytes;
}

int connect_to(const struct run *run, bool control, size_t slot, bool blocking) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(run->ports[control])}, from = to;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  from.sin_port = 0;
  from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + (uint32_t)slot % 16);
  for (int attempt = 0; attempt < 100; attempt++) {
    int one = 1, descriptor = socket(AF_INET, SOCK_STREAM | (blocking ? 0 : SOCK_NONBLOCK), 0);
    if (descriptor < 0) return -1;
    setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    bool good = bind(descriptor, (struct sockaddr *)&from, sizeof from) == 0
        && (connect(descriptor, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS);
    if (good) return descriptor;
    int reason = errno;
    close(descriptor);
    if (reason != EADDRNOTAVAIL && reason != EADDRINUSE) return -1;
    usleep(20000);
  }
  return -1;
}

bool exchange(const struct run *run, bool control, const uint8_t *data, size_t count, struct answer *answer,
              struct bytes *body) {
  static const struct timeval limit = {.tv_sec = 60};
  const char *why;
  uint8_t piece[65536];
  int descriptor = connect_to(run, control, 0, true);
  bytes_clear(body);
  if (descriptor < 0) return false;
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  bool got = false, head_only = count > 5 && memcmp(data, "HEAD ", 5) == 0;
  for (size_t sent = 0; sent < count;) {
    ssize_t step = send(descriptor, data + sent, count - sent, MSG_NOSIGNAL);
    if (step <= 0) break;
    sent += (size_t)step;
  }
  for (;;) {
    ssize_t step = recv(descriptor, piece, sizeof piece, 0);
    if (step <= 0) break;
    bytes_add(body, piece, (size_t)step);
    bytes_add(body, "", 1);
    body->count--;
    enum answer_state state = answer_read(body->data, body->count, head_only, answer, &why);
    while (state == ANSWER_WHOLE && answer->status < 200) {
      bytes_replace(body, 0, answer->count, NULL, 0);
      state = body->count ? answer_read(body->data, body->count, head_only, answer, &why) : ANSWER_PART;
    }
    got = state == ANSWER_WHOLE;
    if (state != ANSWER_PART) break;
  }
  close(descriptor);
  return got;
}

// --- Findings ---------------------------------------------------------------------------------------------------------

void report(struct run *run, uint64_t number, bool control, const struct bytes *bytes, const char *why) {
  char path[512];
  snprintf(path, sizeof path, "%s/finding-%llu.%s.http", run->folder, (unsigned long long)number,
           control ? "control" : "api");
  FILE *file = fopen(path, "wb");
  if (file) {
    fwrite(bytes->data, 1, bytes->count, file);
    fclose(file);
  }
  fprintf(stderr, "FAIL request %llu: %s\n     scripts/fuzz replay %s\n", (unsigned long long)number, why, path);
  run->failures++;
}

// --- Tallies ----------------------------------------------------------------------------------------------------------

static uint64_t by_status[600], ordered;
static struct {
  char name[96];
  int status;
  uint64_t count;
} by_code[64];
static struct {
  const char *name;
  uint64_t count;
} by_connection[16];
static long memory[100000];
static size_t samples;

// What a server may answer from 500 on, because the request asked for what it does not have or because a written limit is
// reached. Everything else is a finding.
static const struct {
  int status;
  const char *code;
} allowed[] = {
    {501, "METHOD_UNKNOWN"},       // RFC 9110, section 9.1
    {501, "HTTP_TRANSFER_CODING"}, // RFC 9112, section 6.1
    {501, "OPERATION_NOT_BUILT"},  // the sandbox's own: listed by the network, and not built
    {505, "HTTP_VERSION"},         // RFC 9110, section 15.6.6
    {503, "TENANT_LIMIT"},         // 2,000 tenants
    {503, "SERVER_OVERLOADED"},    // Requests that wait, and requests in flight
};

bool tally(const struct answer *answer, const uint8_t *data, size_t count) {
  by_status[answer->status]++;
  if (answer->status < 500) return true;
  if (answer->ordered) {
    ordered++;
    return true;
  }
  bool good = false;
  char name[96];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(answer->codes, ","), answer->codes);
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    const char *code = allowed[i].code;
    // A tenant may have its diagnosis header off; the control API names the code in the body too.
    bool is_named = name[0] ? strcmp(name, code) == 0 : memmem(data, count, code, strlen(code)) != NULL;
    if (answer->status != allowed[i].status || !is_named) continue;
    good = true;
    snprintf(name, sizeof name, "%s", code);
  }
  for (size_t i = 0; i < sizeof by_code / sizeof *by_code; i++) {
    if (by_code[i].count && (by_code[i].status != answer->status || strcmp(by_code[i].name, name) != 0)) continue;
    snprintf(by_code[i].name, sizeof by_code[i].name, "%s", name);
    by_code[i].status = answer->status;
    by_code[i].count++;
    break;
  }
  return good;
}

void tally_connection(const char *what) {
  for (size_t i = 0; i < sizeof by_connection / sizeof *by_connection; i++) {
    if (by_connection[i].name && by_connection[i].name != what) continue;
    by_connection[i].name = what;
    by_connection[i].count++;
    return;
  }
}

void tally_print(const struct run *run, double seconds) {
  const char *comma = "";
  uint64_t total = 0;
  printf("{\"answers\":{");
  for (int status = 0; status < 600; status++) {
    if (!by_status[status]) continue;
    printf("%s\"%d\":%llu", comma, status, (unsigned long long)by_status[status]);
    comma = ",";
    total += by_status[status];
  }
  printf("},\"from500\":{");
  comma = "";
  for (size_t i = 0; i < sizeof by_code / sizeof *by_code && by_code[i].count; i++, comma = ",")
    printf("%s\"%d %s\":%llu", comma, by_code[i].status, by_code[i].name, (unsigned long long)by_code[i].count);
  printf("},\"orderedByFaultRules\":%llu,\"connections\":{", (unsigned long long)ordered);
  comma = "";
  for (size_t i = 0; i < sizeof by_connection / sizeof *by_connection && by_connection[i].name; i++, comma = ",")
    printf("%s\"%s\":%llu", comma, by_connection[i].name, (unsigned long long)by_connection[i].count);
  printf("},\"kilobytes\":[");
  for (size_t i = 0; i < samples; i++) printf("%s%ld", i ? "," : "", memory[i]);
  printf("],\"requests\":%llu,\"answered\":%llu,\"seconds\":%.1f,\"findings\":%zu}\n", (unsigned long long)run->count,
         (unsigned long long)total, seconds, run->failures);
}

// --- Between batches --------------------------------------------------------------------------------------------------

static struct answer answer;
static struct bytes body;

// Removes every tenant but those of the corpus.
static void remove_tenants(struct run *run) {
  static const char *const kept[] = {"default", "fz-main", "fz-aside"};
  static const char list[] = "GET /v1/tenants HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  struct bytes names = {0};
  if (!exchange(run, true, (const uint8_t *)list, sizeof list - 1, &answer, &names)) return;
  char *at = (char *)names.data;
  while ((at = strstr(at, "\"name\":\""))) {
    char *name = at + 8, *end = strchr(name, '"'), text[256];
    if (!end) break;
    at = end;
    bool is_kept = false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
      is_kept |= strlen(kept[i]) == (size_t)(end - name) && memcmp(kept[i], name, strlen(kept[i])) == 0;
    if (is_kept) continue;
    int size = snprintf(text, sizeof text, "DELETE /v1/tenants/%.*s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", (int)(end - name), name);
    exchange(run, true, (const uint8_t *)text, (size_t)size, &answer, &body);
    tally_connection("tenants removed");
  }
  bytes_free(&names);
}

static void send_unchanged(struct run *run, bool boundary) {
  char why[256];
  for (size_t i = 0; i < run->corpus.count; i++) {
    struct entry *entry = &run->corpus.entries[i];
    if (boundary != !!(entry->flags & ENTRY_BOUNDARY)) continue;
    bool got = exchange(run, entry->flags & ENTRY_CONTROL, entry->data, entry->count, &answer, &body);
    // What is made anew may be there already, and what is removed may be gone.
    bool may_be = answer.status < 300 || answer.status == (entry->data[0] == 'D' ? 404 : 409);
    if (got && (entry->status ? answer.status == entry->status : may_be)) continue;
    if (run->failures >= MOST_FAILURES) return;
    struct bytes sent = {.data = (uint8_t *)entry->data, .count = entry->count};
    snprintf(why, sizeof why, "unchanged request %zu of the corpus: %d %s, and it was %d", i, got ? answer.status : 0,
             got ? answer.codes : "no answer", entry->status);
    report(run, 1000000000000u + i, entry->flags & ENTRY_CONTROL, &sent, why);
  }
}

void between_batches(struct run *run, bool all) {
  remove_tenants(run);
  send_unchanged(run, true);
  if (all) {
    send_unchanged(run, false);
    remove_tenants(run);
    send_unchanged(run, true);
  }
  if (samples < sizeof memory / sizeof *memory) memory[samples++] = resident(run);
}
