// Sends mutants to a running server and looks at every answer.
//
//   requests API-PORT CONTROL-PORT PID CORPUS FOLDER COUNT SEED FIRST PATIENCE
//
// Prints one JSON object with what was counted. Exit code 1: there are findings, and each is a file in FOLDER.

#include "client.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SLOTS = 32, BATCH = 5000, CHECKED_EVERY = 20 };
// The machine is busy from so many runnable threads for each core, and an answer may then take so many seconds.
enum { BUSY = 3, BUSY_PATIENCE = 60 };

struct slot {
  int idle[2];     // Connections that wait for their next request: API, control
  int descriptor;  // The one in use, -1 when the slot is free
  bool is_reused, sent_all, was_retried, has_answer;
  uint64_t number;
  struct draw draw;
  struct mutant mutant;
  size_t sent, cuts;
  struct bytes received;
  double start;
};

static struct slot slots[SLOTS];
static int poll_descriptor;

static size_t index_of(const struct slot *slot) { return (size_t)(slot - slots); }

static void watch(struct slot *slot, uint32_t events, int operation) {
  struct epoll_event event = {.events = events, .data.u64 = index_of(slot)};
  epoll_ctl(poll_descriptor, operation, slot->descriptor, &event);
}

// Ends the slot's request; keeps the connection when the server does.
static void end(struct slot *slot, bool keep) {
  epoll_ctl(poll_descriptor, EPOLL_CTL_DEL, slot->descriptor, NULL);
  if (keep) slot->idle[slot->mutant.control] = slot->descriptor;
  else close(slot->descriptor);
  slot->descriptor = -1;
}

static void fail(struct run *run, struct slot *slot, const char *why) {
  report(run, slot->number, slot->mutant.control, &slot->mutant.bytes, why);
  end(slot, false);
}

static void begin(struct run *run, struct slot *slot) {
  int *idle = &slot->idle[slot->mutant.control];
  // Writing is closed after unframed bytes, so such a request ends its connection, kept or not.
  slot->is_reused = *idle >= 0;
  slot->descriptor = slot->is_reused ? *idle : connect_to(run, slot->mutant.control, index_of(slot), false);
  *idle = -1;
  slot->sent = 0;
  slot->sent_all = slot->has_answer = false;
  slot->cuts = draw_once_in(&slot->draw, 4) ? 1 + draw_below(&slot->draw, 8) : 0;
  bytes_clear(&slot->received);
  slot->start = seconds_now();
  if (slot->descriptor < 0) {
    report(run, slot->number, slot->mutant.control, &slot->mutant.bytes, "no connection");
    return;
  }
  watch(slot, EPOLLIN | EPOLLOUT, EPOLL_CTL_ADD);
}

// The connection ended under the request: again on a new one when it was an old one that the server had left.
static void broken(struct run *run, struct slot *slot, const char *why) {
  if (slot->is_reused && !slot->was_retried && slot->received.count == 0) {
    end(slot, false);
    slot->was_retried = true;
    tally_connection("sent again on a new connection");
    begin(run, slot);
    return;
  }
  fail(run, slot, why);
}

static void write_some(struct slot *slot) {
  struct bytes *bytes = &slot->mutant.bytes;
  size_t left = bytes->count - slot->sent, piece = left;
  if (slot->cuts > 0 && left > 1) {
    piece = 1 + draw_below(&slot->draw, draw_once_in(&slot->draw, 2) ? 16 : left);
    if (piece > left) piece = left;
    slot->cuts--;
  }
  ssize_t step = left ? send(slot->descriptor, bytes->data + slot->sent, piece, MSG_NOSIGNAL) : 0;
  if (step < 0 && (errno == EAGAIN || errno == EINTR)) return;
  // A server may refuse early and close; what it said is still to be read.
  slot->sent = step < 0 ? bytes->count : slot->sent + (size_t)step;
  if (slot->sent < bytes->count) return;
  slot->sent_all = true;
  if (!slot->mutant.framed) shutdown(slot->descriptor, SHUT_WR);
  watch(slot, EPOLLIN, EPOLL_CTL_MOD);
}

// Takes whole answers from what was received. False when the slot's request has ended.
static bool take_answers(struct run *run, struct slot *slot) {
  struct bytes *received = &slot->received;
  struct answer answer;
  const char *why = "";
  char text[256];
  while (received->count > 0) {
    // Which answer belongs to a HEAD request is not known among unframed bytes, so only the first head is judged.
    bool first_only = slot->mutant.any_head;
    if (first_only && slot->has_answer) return true;
    bool bodiless = slot->mutant.head_only || first_only;
    enum answer_state state = answer_read(received->data, received->count, bodiless, &answer, &why);
    if (state == ANSWER_PART) return true;
    if (state == ANSWER_BAD) {
      fail(run, slot, why);
      return false;
    }
    if (answer.status >= 200 && !tally(&answer, received->data, answer.count)) {
      snprintf(text, sizeof text, "answered %d %s", answer.status, answer.codes);
      fail(run, slot, text);
      return false;
    }
    slot->has_answer = answer.status >= 200;
    bytes_replace(received, 0, answer.count, NULL, 0);
    bytes_add(received, "", 1);
    received->count--;
    if (answer.status < 200 || !slot->mutant.framed) continue;
    if (received->count > 0) {
      fail(run, slot, "bytes after the only answer");
      return false;
    }
    end(slot, slot->sent_all && !answer.closes);
    return false;
  }
  return true;
}

static void read_some(struct run *run, struct slot *slot) {
  static uint8_t piece[1 << 16];
  for (;;) {
    ssize_t step = recv(slot->descriptor, piece, sizeof piece, 0);
    if (step > 0) {
      bytes_add(&slot->received, piece, (size_t)step);
      bytes_add(&slot->received, "", 1);
      slot->received.count--;
      if (!take_answers(run, slot)) return;
      continue;
    }
    if (step < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (slot->mutant.framed) {
      broken(run, slot, step < 0 ? "the connection was reset before the answer" : "no answer before the connection's end");
    } else if (step < 0) {
      // Bytes that the server no longer wanted to read end a connection so.
      tally_connection("reset after bytes that are not a request");
      end(slot, false);
    } else if (slot->received.count > 0 && !slot->mutant.any_head) {
      fail(run, slot, "the connection ended within an answer");
    } else {
      tally_connection("ended by the server");
      end(slot, false);
    }
    return;
  }
}

// Seconds that an answer may take now: more while other work has the machine, which says nothing about the server.
static double patience(const struct run *run) {
  double load = 0;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (getloadavg(&load, 1) != 1 || load < BUSY * (double)cores) return run->patience;
  return run->patience > BUSY_PATIENCE ? run->patience : BUSY_PATIENCE;
}

static bool over(struct run *run) { return run->failures >= MOST_FAILURES || !server_lives(run); }

// The numbers from `first` up to and without `last`.
static void batch(struct run *run, uint64_t first, uint64_t last) {
  struct epoll_event events[SLOTS];
  uint64_t next = first;
  for (;;) {
    size_t busy = 0;
    for (size_t i = 0; i < SLOTS; i++) {
      struct slot *slot = &slots[i];
      if (slot->descriptor < 0 && next < last && run->failures < MOST_FAILURES) {
        slot->number = next++;
        slot->was_retried = false;
        mutant_make(&slot->mutant, &run->corpus, run->seed, slot->number, &slot->draw);
        begin(run, slot);
      }
      busy += slot->descriptor >= 0;
    }
    if (busy == 0) return;
    int count = epoll_wait(poll_descriptor, events, SLOTS, 100);
    for (int i = 0; i < count; i++) {
      struct slot *slot = &slots[events[i].data.u64];
      if (slot->descriptor >= 0 && events[i].events & EPOLLOUT) write_some(slot);
      if (slot->descriptor >= 0 && events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_some(run, slot);
    }
    if (count == 0 && !server_lives(run)) {
      for (size_t i = 0; i < SLOTS; i++)
        if (slots[i].descriptor >= 0) fail(run, &slots[i], "the server ended while it had this request");
      return;
    }
    double now = seconds_now();
    for (size_t i = 0; i < SLOTS; i++) {
      if (slots[i].descriptor < 0 || now <= slots[i].start + run->patience) continue;
      if (now > slots[i].start + patience(run)) fail(run, &slots[i], "no answer in time");
    }
  }
}

int main(int count, char **arguments) {
  if (count != 10) {
    fprintf(stderr, "usage: requests API-PORT CONTROL-PORT PID CORPUS FOLDER COUNT SEED FIRST PATIENCE\n");
    return 2;
  }
  struct run run = {
      .ports = {(uint16_t)atoi(arguments[1]), (uint16_t)atoi(arguments[2])},
      .server = atoi(arguments[3]),
      .corpus = corpus_read(arguments[4]),
      .folder = arguments[5],
      .count = strtoull(arguments[6], NULL, 10),
      .seed = strtoull(arguments[7], NULL, 10),
      .first = strtoull(arguments[8], NULL, 10),
      .patience = atof(arguments[9]),
      .batch = BATCH,
  };
  if (run.corpus.total_weight == 0) {
    fprintf(stderr, "requests: there is no corpus in %s\n", arguments[4]);
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  poll_descriptor = epoll_create1(0);
  for (size_t i = 0; i < SLOTS; i++) slots[i].idle[0] = slots[i].idle[1] = slots[i].descriptor = -1;
  double start = seconds_now(), last = start;
  between_batches(&run, true);
  for (uint64_t done = 0, number = 1; done < run.count && !over(&run); number++) {
    uint64_t size = run.count - done < run.batch ? run.count - done : run.batch;
    batch(&run, run.first + done, run.first + done + size);
    done += size;
    if (over(&run)) break;
    between_batches(&run, number % CHECKED_EVERY == 0 || done == run.count);
    double now = seconds_now();
    fprintf(stderr, "%llu requests, %.0f/s, %zu findings\n", (unsigned long long)done, (double)size / (now - last),
            run.failures);
    last = now;
  }
  if (!server_lives(&run)) {
    fprintf(stderr, "FAIL the server has ended\n");
    run.failures++;
  }
  tally_print(&run, seconds_now() - start);
  return run.failures > 0;
}
