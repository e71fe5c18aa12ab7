// The baseline of scripts/bench: the least that an HTTP server can do. It answers every request with the same JSON of
// about 700 bytes, on 127.0.0.1, with one thread. The sandbox is measured against it on the same cores, so the numbers
// are ratios and do not depend on the machine.
//
// It uses libevent's evhttp. The sandbox does not, because evhttp hides broken requests from its caller; here it is the
// shortest honest server that stands on the same event loop and buffers.
//
//   gcc -O2 -Wall -Wextra -Werror bare.c -o bare $(pkg-config --cflags --libs libevent)
//   ./bare PORT      (0 takes a free port)
//
// It prints one line when it listens, and SIGTERM or SIGINT ends it with exit code 0.

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// The shape and size of a token look-up, so that both sides send the same number of bytes.
static const char body[] =
    "{\"tokenId\":\"DNITHE302213059337966526\",\"network\":\"visa\",\"issuerId\":\"DEMOBANK01\","
    "\"issuerCardRefId\":\"card-visa\",\"state\":\"suspended\",\"suspenders\":[\"issuer\"],"
    "\"tokenRequestorId\":\"40010030273\",\"deviceId\":\"3f0c8a52-6d1e-4b79-9a40-c2e85d17f6b3\","
    "\"serialNumber\":\"7b1f6c0e2d9a48357b1f6c0e2d9a4835\",\"tokenSuffix\":\"4417\",\"expiryDate\":\"1230\","
    "\"history\":["
    "{\"at\":\"2026-11-30T09:15:02Z\",\"event\":\"create\",\"by\":\"requestor\",\"reason\":\"provisioning\","
    "\"from\":null,\"to\":\"inactive\"},"
    "{\"at\":\"2026-11-30T09:16:40Z\",\"event\":\"activate\",\"by\":\"issuer\",\"reason\":\"app-to-app\","
    "\"from\":\"inactive\",\"to\":\"active\"},"
    "{\"at\":\"2026-11-30T10:02:11Z\",\"event\":\"suspend\",\"by\":\"issuer\",\"reason\":\"reported lost\","
    "\"from\":\"active\",\"to\":\"suspended\"}]}";

static void answer(struct evhttp_request *request, void *unused) {
    (void)unused;
    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", "application/json");
    struct evbuffer *out = evhttp_request_get_output_buffer(request);
    // A reference, not a copy: the bytes live as long as the program.
    evbuffer_add_reference(out, body, sizeof body - 1, NULL, NULL);
    evhttp_send_reply(request, HTTP_OK, NULL, NULL);
}

static void stop(evutil_socket_t signal_number, short what, void *base) {
    (void)signal_number;
    (void)what;
    event_base_loopbreak(base);
}

static int fail(const char *what) {
    fprintf(stderr, "bare: %s: %s\n", what, strerror(errno));
    return 1;
}

int main(int argc, char **argv) {
    char *end = NULL;
    long port = argc == 2 ? strtol(argv[1], &end, 10) : -1;
    if (port < 0 || port > 65535 || end == argv[1] || *end != '\0') {
        fprintf(stderr, "usage: bare PORT\n");
        return 2;
    }
    // A client that closes first must not end the program.
    signal(SIGPIPE, SIG_IGN);

    struct event_base *base = event_base_new();
    if (base == NULL) return fail("event_base_new");
    struct evhttp *http = evhttp_new(base);
    if (http == NULL) return fail("evhttp_new");
    evhttp_set_gencb(http, answer, NULL);
    struct evhttp_bound_socket *bound =
        evhttp_bind_socket_with_handle(http, "127.0.0.1", (ev_uint16_t)port);
    if (bound == NULL) return fail("cannot listen");

    // Accepted sockets inherit this. The sandbox does the same, so neither side waits for a delayed ACK.
    evutil_socket_t fd = evhttp_bound_socket_get_fd(bound);
    int on = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) return fail("TCP_NODELAY");
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return fail("getsockname");

    struct event *term = evsignal_new(base, SIGTERM, stop, base);
    struct event *interrupt = evsignal_new(base, SIGINT, stop, base);
    if (term == NULL || interrupt == NULL) return fail("evsignal_new");
    event_add(term, NULL);
    event_add(interrupt, NULL);

    // The same shape as the first line of the sandbox, so that one reader serves both.
    printf("{\"event\":\"listening\",\"api\":\"http://127.0.0.1:%u\"}\n", ntohs(address.sin_port));
    fflush(stdout);

    event_base_dispatch(base);

    event_free(term);
    event_free(interrupt);
    evhttp_free(http);
    event_base_free(base);
    return 0;
}
