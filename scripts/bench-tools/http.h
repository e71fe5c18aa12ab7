// What the loads of scripts/bench share: a clock, and as much HTTP as this server's answers need. PROGRAM is the name that
// stands before what is said.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Stops the program, with OpenSSL's reason if there is one, when a step does not give what it must.
#define REQUIRE(condition)                                                         \
    do {                                                                           \
        if (!(condition)) {                                                        \
            fprintf(stderr, PROGRAM ": line %d: %s\n", __LINE__, #condition);      \
            ERR_print_errors_fp(stderr);                                           \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

enum { bufferSize = 32768 };

typedef struct {
    int socket;
    char buffer[bufferSize];
    char *body;  // of the last answer, ended by a zero
} Client;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void open_client(Client *client, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1;
    client->socket = socket(AF_INET, SOCK_STREAM, 0);
    REQUIRE(client->socket >= 0);
    REQUIRE(setsockopt(client->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0);
    struct timeval limit = {.tv_sec = 30};
    REQUIRE(setsockopt(client->socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    REQUIRE(connect(client->socket, (struct sockaddr *)&address, sizeof address) == 0);
}

// Sends `body` as JSON and leaves the answer's body in the client. Gives the status; the program ends when the server does.
static int ask(Client *client, const char *method, const char *path, const char *body) {
    char *buffer = client->buffer;
    size_t size = strlen(body);
    int length = snprintf(buffer, bufferSize,
                          "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                          "Content-Length: %zu\r\n\r\n%s", method, path, size, body);
    REQUIRE(length < bufferSize);
    for (int sent = 0; sent < length;) {
        ssize_t count = send(client->socket, buffer + sent, (size_t)(length - sent), MSG_NOSIGNAL);
        REQUIRE(count > 0);
        sent += (int)count;
    }
    size_t have = 0, wanted = 0;
    while (wanted == 0 || have < wanted) {
        ssize_t count = recv(client->socket, buffer + have, bufferSize - 1 - have, 0);
        REQUIRE(count > 0);
        have += (size_t)count;
        buffer[have] = '\0';
        char *end = wanted == 0 ? strstr(buffer, "\r\n\r\n") : NULL;
        if (end == NULL) continue;
        char *field = strcasestr(buffer, "\r\ncontent-length:");
        client->body = end + 4;
        wanted = (size_t)(end + 4 - buffer);
        if (field != NULL && field < end) wanted += strtoul(field + 17, NULL, 10);
    }
    REQUIRE(have == wanted && strncmp(buffer, "HTTP/1.1 ", 9) == 0);
    return atoi(buffer + 9);
}
