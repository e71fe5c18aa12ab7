// The connection load of scripts/bench: requests over plain HTTP, TLS or mutual TLS, on connections that stay or on a new
// one for each request.
//
//   gcc -O2 -Wall -Wextra -Werror tls-load.c -o tls-load $(pkg-config --cflags --libs libssl libcrypto) -pthread
//   ./tls-load PORT PATH CONNECTIONS SECONDS keep|new|resume plain|tls|FOLDER
//
// FOLDER holds client.cert.pem and client.key.pem: mutual TLS. `new` and `resume` open a connection for each request, the
// one with a full handshake, the other with the session of the last. The server's certificate is not checked: what is
// measured is the server. From CONNECTIONS threads it asks for PATH on 127.0.0.1 until SECONDS are over, and prints
//   {"requestsPerSecond":…,"requests":…,"failed":…,"resumed":…,"p99Microseconds":…}
// A request counts when its answer had status 200 and came whole: by its length, or by the end of the connection.

#define _GNU_SOURCE  // strcasestr
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Stops the program, with OpenSSL's reason, when the preparation fails.
#define REQUIRE(condition)                                                        \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "tls-load: line %d: %s\n", __LINE__, #condition);     \
            ERR_print_errors_fp(stderr);                                          \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

enum { mostConnections = 256, bufferSize = 65536, mostLatencies = 1 << 20, patienceSeconds = 10 };

// Read-only once the threads run.
static struct {
    struct sockaddr_in address;
    char request[1024];
    int requestLength;
    bool isKept, isResumed;
    SSL_CTX *context;  // NULL for plain HTTP
    double end;
} setting;

static atomic_int latencyCount, requests, failed, resumed;
static float latencies[mostLatencies];  // in microseconds

typedef struct {
    int descriptor;
    SSL *tls;
} Connection;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void close_connection(Connection *connection) {
    if (connection->tls) {
        // Without it the server counts a cut connection, and the session is not used again.
        SSL_shutdown(connection->tls);
        SSL_free(connection->tls);
    }
    if (connection->descriptor >= 0) close(connection->descriptor);
    *connection = (Connection){.descriptor = -1};
}

// Connects, with the handshake when there is one; `session` is offered.
static bool open_connection(Connection *connection, SSL_SESSION *session) {
    int on = 1;
    struct timeval patience = {.tv_sec = patienceSeconds};
    // A new connection for each request would soon use up the ports, were closed ones kept for a minute.
    struct linger linger = {.l_onoff = !setting.isKept, .l_linger = 0};
    *connection = (Connection){.descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (connection->descriptor < 0) return false;
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(connection->descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(connection->descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    if (connect(connection->descriptor, (struct sockaddr *)&setting.address, sizeof setting.address) != 0) return false;
    if (!setting.context) return true;
    connection->tls = SSL_new(setting.context);
    if (!connection->tls || SSL_set_fd(connection->tls, connection->descriptor) != 1) return false;
    if (session && SSL_set_session(connection->tls, session) != 1) return false;
    return SSL_connect(connection->tls) == 1;
}

static int send_bytes(Connection *connection, const char *bytes, int length) {
    if (connection->tls) return SSL_write(connection->tls, bytes, length);
    return (int)send(connection->descriptor, bytes, (size_t)length, MSG_NOSIGNAL);
}

static int receive_bytes(Connection *connection, char *bytes, int length) {
    if (connection->tls) return SSL_read(connection->tls, bytes, length);
    return (int)recv(connection->descriptor, bytes, (size_t)length, 0);
}

// One request and its answer. False when its status was not 200.
static bool ask(Connection *connection, char *buffer) {
    if (send_bytes(connection, setting.request, setting.requestLength) != setting.requestLength) return false;
    int count = 0;
    long whole = -1;
    while (whole < 0 || count < whole) {
        int got = receive_bytes(connection, buffer + count, bufferSize - 1 - count);
        // Without a length the answer ends with the connection.
        if (got <= 0) return whole < 0 && count > 12 && memcmp(buffer + 8, " 200", 4) == 0 && !setting.isKept;
        count += got;
        buffer[count] = '\0';
        char *head = whole < 0 ? strstr(buffer, "\r\n\r\n") : NULL;
        if (!head) continue;
        *head = '\0';
        char *length = strcasestr(buffer, "\r\ncontent-length:");
        *head = '\r';
        if (length) whole = head + 4 - buffer + atol(length + 17);
    }
    return memcmp(buffer + 8, " 200", 4) == 0;
}

static void count_latency(double seconds) {
    int place = atomic_fetch_add(&latencyCount, 1);
    if (place < mostLatencies) latencies[place] = (float)(seconds * 1e6);
}

static void *work(void *argument) {
    (void)argument;
    char *buffer = malloc(bufferSize);
    REQUIRE(buffer);
    Connection connection = {.descriptor = -1};
    SSL_SESSION *session = NULL;
    for (double start = now(); start < setting.end; start = now()) {
        bool isReady = connection.descriptor >= 0 || open_connection(&connection, session);
        if (isReady && connection.tls && SSL_session_reused(connection.tls)) atomic_fetch_add(&resumed, 1);
        if (isReady && ask(&connection, buffer)) {
            atomic_fetch_add(&requests, 1);
            count_latency(now() - start);
        } else {
            atomic_fetch_add(&failed, 1);
            close_connection(&connection);
            continue;
        }
        if (setting.isKept) continue;
        if (setting.isResumed) {
            // Asked for after the answer: in TLS 1.3 the tickets come behind the handshake.
            SSL_SESSION *next = SSL_get1_session(connection.tls);
            SSL_SESSION_free(session);
            session = next;
        }
        close_connection(&connection);
    }
    close_connection(&connection);
    SSL_SESSION_free(session);
    free(buffer);
    return NULL;
}

static int compare(const void *left, const void *right) {
    float difference = *(const float *)left - *(const float *)right;
    return (difference > 0) - (difference < 0);
}

static void prepare_tls(const char *folder) {
    char path[512];
    setting.context = SSL_CTX_new(TLS_client_method());
    REQUIRE(setting.context);
    SSL_CTX_set_verify(setting.context, SSL_VERIFY_NONE, NULL);
    SSL_CTX_set_options(setting.context, SSL_OP_IGNORE_UNEXPECTED_EOF);
    if (strcmp(folder, "tls") == 0) return;
    snprintf(path, sizeof path, "%s/client.cert.pem", folder);
    REQUIRE(SSL_CTX_use_certificate_file(setting.context, path, SSL_FILETYPE_PEM) == 1);
    snprintf(path, sizeof path, "%s/client.key.pem", folder);
    REQUIRE(SSL_CTX_use_PrivateKey_file(setting.context, path, SSL_FILETYPE_PEM) == 1);
}

int main(int argc, char **argv) {
    int connections = argc == 7 ? atoi(argv[3]) : 0;
    double seconds = argc == 7 ? atof(argv[4]) : 0;
    if (connections < 1 || connections > mostConnections || seconds <= 0) {
        fprintf(stderr, "usage: tls-load PORT PATH CONNECTIONS SECONDS keep|new|resume plain|tls|FOLDER\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    setting.address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
    setting.address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setting.isKept = strcmp(argv[5], "keep") == 0;
    setting.isResumed = strcmp(argv[5], "resume") == 0;
    setting.requestLength = snprintf(setting.request, sizeof setting.request,
                                     "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", argv[2],
                                     setting.isKept ? "" : "Connection: close\r\n");
    REQUIRE(setting.requestLength < (int)sizeof setting.request);
    if (strcmp(argv[6], "plain") != 0) prepare_tls(argv[6]);
    setting.isResumed = setting.isResumed && setting.context;

    pthread_t threads[mostConnections];
    double start = now();
    setting.end = start + seconds;
    for (int index = 0; index < connections; index++) REQUIRE(pthread_create(&threads[index], NULL, work, NULL) == 0);
    for (int index = 0; index < connections; index++) pthread_join(threads[index], NULL);
    double elapsed = now() - start;

    int count = latencyCount < mostLatencies ? latencyCount : mostLatencies;
    qsort(latencies, (size_t)count, sizeof *latencies, compare);
    printf("{\"requestsPerSecond\":%.1f,\"requests\":%d,\"failed\":%d,\"resumed\":%d,\"p99Microseconds\":%.0f}\n",
           requests / elapsed, requests, failed, resumed, count ? (double)latencies[count * 99 / 100] : 0);
    SSL_CTX_free(setting.context);
    return 0;
}
