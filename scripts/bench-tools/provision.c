// The provisioning load of scripts/bench: whole provisionings, each on a new device with a new session and nonce.
//
//   gcc -O2 -Wall -Wextra -Werror provision.c -o provision $(pkg-config --cflags --libs libcrypto) -pthread
//   ./provision PORT KEYS PAIRS CONNECTIONS SECONDS
//
// PORT is the API port on 127.0.0.1 and KEYS the folder `keys`. Before the clock starts, it plays the issuer's backend
// (cards encrypted as CMS EnvelopedData with RSA-OAEP, authorization codes signed with RS256) and the phone (PAIRS
// devices with one provisioning session each). Then it prints {"event":"ready"} and fires, from CONNECTIONS threads with
// one connection each, generateAddPaymentPassRequest and, with its answer, provisioning-sessions/{id}/pass. It ends when
// PAIRS are done or SECONDS are over, and prints
//   {"pairsPerSecond":…,"pairs":…,"failed":…,"p50Microseconds":…,"p99Microseconds":…}
// A pair counts when both answers had a status of 2xx. While the clock runs it only copies bytes.

#define _GNU_SOURCE  // asprintf
#define PROGRAM "provision"
#include "http.h"

#include <errno.h>
#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { cardCount = 256, mostConnections = 256 };

// A card with its payload and authorization code. The code has no jti, so it may be used for several devices.
typedef struct {
    char reference[32];
    char pan[17];
    char *payload;
    char *code;
} Card;

// One provisioning that is ready to be fired.
typedef struct {
    char path[128];  // of the second request
    char *body;      // of the first
} Pair;

static struct {
    int port;
    int pairs;
    int connections;
    int seconds;
    Card cards[cardCount];
    Pair *made;
    double *latency;
    atomic_int next;
    atomic_int done;
    atomic_int failed;
    double deadline;
    pthread_barrier_t prepared;
    pthread_barrier_t start;
} load;

// ---------------------------------------------------------------------------------------------------------------------
// The issuer's backend

static char *base64url(const unsigned char *bytes, size_t length) {
    char *text = malloc(4 * (length / 3 + 2));
    REQUIRE(text != NULL);
    int count = EVP_EncodeBlock((unsigned char *)text, bytes, (int)length);
    while (count > 0 && text[count - 1] == '=') count--;
    text[count] = '\0';
    for (char *each = text; *each != '\0'; each++) *each = *each == '+' ? '-' : *each == '/' ? '_' : *each;
    return text;
}

static FILE *open_key(const char *folder, const char *name) {
    char path[512];
    REQUIRE(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "provision: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    return file;
}

static char *seal(const char *plain, X509 *certificate) {
    BIO *input = BIO_new_mem_buf(plain, -1);
    unsigned flags = CMS_BINARY | CMS_PARTIAL;
    CMS_ContentInfo *message = CMS_encrypt(NULL, NULL, EVP_aes_256_cbc(), flags);
    REQUIRE(input != NULL && message != NULL);
    CMS_RecipientInfo *recipient = CMS_add1_recipient_cert(message, certificate, CMS_KEY_PARAM | CMS_USE_KEYID);
    REQUIRE(recipient != NULL);
    EVP_PKEY_CTX *context = CMS_RecipientInfo_get0_pkey_ctx(recipient);
    REQUIRE(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1);
    REQUIRE(EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1);
    REQUIRE(EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1);
    REQUIRE(CMS_final(message, input, NULL, flags) == 1);
    unsigned char *der = NULL;
    int length = i2d_CMS_ContentInfo(message, &der);
    REQUIRE(length > 0);
    char *hex = malloc(2 * (size_t)length + 1);
    REQUIRE(hex != NULL);
    for (int index = 0; index < length; index++) snprintf(hex + 2 * index, 3, "%02x", der[index]);
    OPENSSL_free(der);
    CMS_ContentInfo_free(message);
    BIO_free(input);
    return hex;
}

static char *authorize(const char *reference, EVP_PKEY *key) {
    static const char header[] = "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"demobank01-auth-1\"}";
    char claims[256];
    long issued = (long)time(NULL);
    int length = snprintf(claims, sizeof claims,
                          "{\"iss\":\"DEMOBANK01\",\"sub\":\"%s\",\"aud\":\"APPLE_PAY\",\"iat\":%ld,\"exp\":%ld}",
                          reference, issued, issued + 300);
    char *first = base64url((const unsigned char *)header, sizeof header - 1);
    char *second = base64url((const unsigned char *)claims, (size_t)length);
    char *code = malloc(2048);
    REQUIRE(code != NULL);
    length = snprintf(code, 2048, "%s.%s", first, second);
    unsigned char signature[512];
    size_t size = sizeof signature;
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    REQUIRE(digest != NULL && EVP_DigestSignInit(digest, NULL, EVP_sha256(), NULL, key) == 1);
    REQUIRE(EVP_DigestSign(digest, signature, &size, (unsigned char *)code, (size_t)length) == 1);
    EVP_MD_CTX_free(digest);
    char *third = base64url(signature, size);
    REQUIRE(length + snprintf(code + length, (size_t)(2048 - length), ".%s", third) < 2048);
    free(first);
    free(second);
    free(third);
    return code;
}

// A Mastercard number of the demo bank's account range: its provisioning has the RSA signature that crypto-bare makes.
static void number(char pan[17], int index) {
    snprintf(pan, 17, "54133340%07d", index);
    int sum = 0;
    for (int place = 0; place < 15; place++) {
        int digit = pan[14 - place] - '0';
        if (place % 2 == 0) digit = digit > 4 ? 2 * digit - 9 : 2 * digit;
        sum += digit;
    }
    pan[15] = (char)('0' + (10 - sum % 10) % 10);
    pan[16] = '\0';
}

static void make_cards(const char *keys) {
    FILE *file = open_key(keys, "tsh/payload-2048.cert.pem");
    X509 *certificate = PEM_read_X509(file, NULL, NULL, NULL);
    fclose(file);
    file = open_key(keys, "issuers/DEMOBANK01/authorization.key.pem");
    EVP_PKEY *key = PEM_read_PrivateKey(file, NULL, NULL, NULL);
    fclose(file);
    REQUIRE(certificate != NULL && key != NULL);
    for (int index = 0; index < cardCount; index++) {
        Card *card = &load.cards[index];
        snprintf(card->reference, sizeof card->reference, "bench-%d", index);
        number(card->pan, index);
        char plain[256];
        snprintf(plain, sizeof plain,
                 "{\"issuerCardRefId\":\"%s\",\"fpan\":\"%s\",\"exp\":\"1232\",\"cardHolderName\":\"ANA PRUEBA\"}",
                 card->reference, card->pan);
        card->payload = seal(plain, certificate);
        card->code = authorize(card->reference, key);
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
}

// The text from after `"name":` up to `end`, which is included. For answers whose form is known.
static char *member(const char *json, const char *name, char end) {
    char mark[64];
    snprintf(mark, sizeof mark, "\"%s\":", name);
    const char *start = strstr(json, mark);
    REQUIRE(start != NULL);
    start += strlen(mark);
    const char *stop = strchr(start + 1, end);
    REQUIRE(stop != NULL);
    return strndup(start, (size_t)(stop - start + 1));
}

// ---------------------------------------------------------------------------------------------------------------------
// The phone

static void make_pair(Client *client, int index) {
    const Card *card = &load.cards[index % cardCount];
    REQUIRE(ask(client, "POST", "/wallet/apple/devices", "{\"kind\":\"phone\"}") == 201);
    char *device = member(client->body, "deviceId", '"');
    char path[256], body[512];
    snprintf(path, sizeof path, "/wallet/apple/devices/%.*s/provisioning-sessions", (int)strlen(device) - 2, device + 1);
    snprintf(body, sizeof body,
             "{\"paymentNetwork\":\"MasterCard\",\"cardholderName\":\"ANA PRUEBA\",\"primaryAccountSuffix\":\"%s\","
             "\"application\":\"A1B2C3D4E5.com.demobank.app\"}", card->pan + 12);
    REQUIRE(ask(client, "POST", path, body) == 201);
    char *session = member(client->body, "sessionId", '"');
    char *chain = member(client->body, "certificates", ']');
    char *nonce = member(client->body, "nonce", '"');
    char *signature = member(client->body, "nonceSignature", '"');

    Pair *pair = &load.made[index];
    snprintf(pair->path, sizeof pair->path, "/wallet/apple/provisioning-sessions/%.*s/pass", (int)strlen(session) - 2,
             session + 1);
    REQUIRE(asprintf(&pair->body,
                     "{\"scheme\":\"MASTERCARD\",\"encryptedPayload\":\"%s\",\"authorizationCode\":\"%s\","
                     "\"certificateChain\":%s,\"nonce\":%s,\"nonceSignature\":%s}",
                     card->payload, card->code, chain, nonce, signature) > 0);
    free(device);
    free(session);
    free(chain);
    free(nonce);
    free(signature);
}

static void complain(const char *step, int status, const Client *client) {
    if (atomic_fetch_add(&load.failed, 1) == 0)
        fprintf(stderr, "provision: %s answered %d: %.400s\n", step, status, client->body);
}

static void fire(Client *client, const Pair *pair, double *latency) {
    char answer[bufferSize];
    double begin = now();
    int status = ask(client, "POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", pair->body);
    if (status / 100 != 2) return complain("generateAddPaymentPassRequest", status, client);
    strcpy(answer, client->body);
    status = ask(client, "POST", pair->path, answer);
    if (status / 100 != 2) return complain("pass", status, client);
    *latency = now() - begin;
    atomic_fetch_add(&load.done, 1);
}

static void *work(void *argument) {
    int share = *(int *)argument;
    Client *client = calloc(1, sizeof *client);
    REQUIRE(client != NULL);
    open_client(client, load.port);
    for (int index = share; index < load.pairs; index += load.connections) make_pair(client, index);
    pthread_barrier_wait(&load.prepared);
    pthread_barrier_wait(&load.start);
    int index;
    while (now() < load.deadline && (index = atomic_fetch_add(&load.next, 1)) < load.pairs)
        fire(client, &load.made[index], &load.latency[index]);
    close(client->socket);
    free(client);
    return NULL;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static int argument(char **argv, int index, int most) {
    char *end = NULL;
    long value = strtol(argv[index], &end, 10);
    if (*end != '\0' || value < 1 || value > most) {
        fprintf(stderr, "provision: argument %d: 1 to %d\n", index, most);
        exit(2);
    }
    return (int)value;
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: provision PORT KEYS PAIRS CONNECTIONS SECONDS\n");
        return 2;
    }
    load.port = argument(argv, 1, 65535);
    load.pairs = argument(argv, 3, 100000);
    load.connections = argument(argv, 4, mostConnections);
    load.seconds = argument(argv, 5, 3600);
    make_cards(argv[2]);
    load.made = calloc((size_t)load.pairs, sizeof *load.made);
    load.latency = calloc((size_t)load.pairs, sizeof *load.latency);
    REQUIRE(load.made != NULL && load.latency != NULL);
    REQUIRE(pthread_barrier_init(&load.prepared, NULL, (unsigned)load.connections + 1) == 0);
    REQUIRE(pthread_barrier_init(&load.start, NULL, (unsigned)load.connections + 1) == 0);

    pthread_t threads[mostConnections];
    int shares[mostConnections];
    for (int index = 0; index < load.connections; index++) {
        shares[index] = index;
        REQUIRE(pthread_create(&threads[index], NULL, work, &shares[index]) == 0);
    }
    pthread_barrier_wait(&load.prepared);
    printf("{\"event\":\"ready\"}\n");
    fflush(stdout);
    double begin = now();
    load.deadline = begin + load.seconds;
    pthread_barrier_wait(&load.start);
    for (int index = 0; index < load.connections; index++) REQUIRE(pthread_join(threads[index], NULL) == 0);
    double elapsed = now() - begin;

    // What was not fired, or failed, has a latency of zero and sorts first.
    int done = atomic_load(&load.done);
    qsort(load.latency, (size_t)load.pairs, sizeof *load.latency, compare);
    const double *sorted = load.latency + load.pairs - done;
    printf("{\"pairsPerSecond\":%.1f,\"pairs\":%d,\"failed\":%d,\"p50Microseconds\":%.0f,\"p99Microseconds\":%.0f}\n",
           done / elapsed, done, atomic_load(&load.failed), done > 0 ? sorted[done / 2] * 1e6 : 0,
           done > 0 ? sorted[done * 99 / 100] * 1e6 : 0);
    return done > 0 ? 0 : 1;
}
