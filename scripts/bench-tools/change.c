// The writing load of scripts/bench: on each connection two requests in turn, of which the second takes back the first.
//
//   gcc -O2 -Wall -Wextra -Werror change.c -o change $(pkg-config --cflags --libs libcrypto) -pthread
//   ./change PORT CONNECTIONS SECONDS COUNT FILE
//
// FILE has lines `METHOD PATH BODY`, two for each connection. From as many threads it sends them to 127.0.0.1 until SECONDS
// are over or COUNT requests are answered (0: no such end), always both of a pair, and prints
//   {"requestsPerSecond":…,"requests":…,"failed":…,"p99Microseconds":…}
// A request counts when its answer had a status of 2xx.

#define _GNU_SOURCE  // strcasestr
#define PROGRAM "change"
#include "http.h"

#include <pthread.h>
#include <stdatomic.h>

enum { mostConnections = 256, mostLatencies = 1 << 20 };

typedef struct {
    char *method, *path, *body;
} Request;

static struct {
    int port;
    long count;
    double end;
    Request requests[mostConnections][2];
} load;

static atomic_long answered, failed, latencyCount;
static float latencies[mostLatencies];  // in microseconds

static void send_one(Client *client, const Request *request) {
    double begin = now();
    int status = ask(client, request->method, request->path, request->body);
    if (status / 100 != 2) {
        if (atomic_fetch_add(&failed, 1) == 0)
            fprintf(stderr, "change: %s answered %d: %.400s\n", request->path, status, client->body);
        return;
    }
    atomic_fetch_add(&answered, 1);
    long place = atomic_fetch_add(&latencyCount, 1);
    if (place < mostLatencies) latencies[place] = (float)((now() - begin) * 1e6);
}

static void *work(void *argument) {
    const Request *pair = argument;
    Client *client = calloc(1, sizeof *client);
    REQUIRE(client != NULL);
    open_client(client, load.port);
    while (now() < load.end && (load.count == 0 || atomic_load(&answered) < load.count)) {
        send_one(client, &pair[0]);
        send_one(client, &pair[1]);
    }
    close(client->socket);
    free(client);
    return NULL;
}

static int compare(const void *left, const void *right) {
    float difference = *(const float *)left - *(const float *)right;
    return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
    int connections = argc == 6 ? atoi(argv[2]) : 0;
    double seconds = argc == 6 ? atof(argv[3]) : 0;
    if (connections < 1 || connections > mostConnections || seconds <= 0) {
        fprintf(stderr, "usage: change PORT CONNECTIONS SECONDS COUNT FILE\n");
        return 2;
    }
    load.port = atoi(argv[1]);
    load.count = atol(argv[4]);
    FILE *file = fopen(argv[5], "r");
    REQUIRE(file != NULL);
    for (int index = 0; index < 2 * connections; index++) {
        Request *request = &load.requests[index / 2][index % 2];
        REQUIRE(fscanf(file, "%ms %ms %m[^\n]", &request->method, &request->path, &request->body) == 3);
    }
    fclose(file);

    pthread_t threads[mostConnections];
    double begin = now();
    load.end = begin + seconds;
    for (int index = 0; index < connections; index++)
        REQUIRE(pthread_create(&threads[index], NULL, work, load.requests[index]) == 0);
    for (int index = 0; index < connections; index++) REQUIRE(pthread_join(threads[index], NULL) == 0);
    double elapsed = now() - begin;

    long count = latencyCount < mostLatencies ? latencyCount : mostLatencies;
    qsort(latencies, (size_t)count, sizeof *latencies, compare);
    printf("{\"requestsPerSecond\":%.1f,\"requests\":%ld,\"failed\":%ld,\"p99Microseconds\":%.0f}\n",
           (double)answered / elapsed, (long)answered, (long)failed, count ? (double)latencies[count * 99 / 100] : 0);
    return 0;
}
