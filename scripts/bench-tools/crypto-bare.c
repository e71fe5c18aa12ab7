// The cryptographic baseline of scripts/bench: the OpenSSL work of one provisioning, or of one new device, and nothing else.
// The sandbox is measured against it, so the ratio says what routing, parsing, journal and store add to the
// cryptography that no implementation can leave out.
//
//   gcc -O2 -Wall -Wextra -Werror crypto-bare.c -o crypto-bare $(pkg-config --cflags --libs libcrypto) -pthread
//   ./crypto-bare SECONDS provisioning|device [--rsa-4096]      (--rsa-4096: the key that the CMS message is made for)
//
// Keys, certificates and messages are made in the program. Two threads work, and it prints one JSON object:
//   {"operationsPerSecond":…,"cpuMicroseconds":…,"perOperation":{name: microseconds}}
// where an operation is one whole provisioning or device, `cpuMicroseconds` its processor time, and the others the mean of
// one step on one thread while both threads run. Every step checks its result: a baseline that fails fast would be a wrong one.
//
// What may be prepared once is prepared once, as a good server does: parsed keys and certificates, fetched algorithms.
// Contexts are made for each step, because they cannot be shared between requests.

#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { threadCount = 2, maxMessage = 512, pointSize = 65, tagSize = 16 };

// Stops the program, with OpenSSL's reason, when a step does not give what it must.
#define REQUIRE(condition)                                                           \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "crypto-bare: line %d: %s\n", __LINE__, #condition);     \
            ERR_print_errors_fp(stderr);                                             \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

typedef struct {
    unsigned char bytes[maxMessage];
    size_t length;
} Message;

// Shared by the threads and read-only once they run.
static struct {
    EVP_MD *sha256;
    EVP_CIPHER *cbc;
    EVP_CIPHER *gcm;

    EVP_PKEY *payloadKey;  // TSH payload key, RSA
    Message card;          // what the issuer encrypted
    Message wrappedKey;    // the content key, RSA-OAEP with SHA-256 and MGF1-SHA-256
    unsigned char iv[16];
    Message cipherText;    // AES-256-CBC

    EVP_PKEY *issuerKey;  // RSA-2048, signs authorization codes
    Message code;         // signing input of an authorization code
    Message codeSignature;

    EVP_PKEY *subKey;
    X509_STORE *roots;
    STACK_OF(X509) *untrusted;
    X509 *leaf;
    EVP_PKEY *leafKey;  // P-256: the sandbox is the wallet too, so it has the private half

    EVP_PKEY *tavKey;  // RSA-2048
    Message tavText;
    Message passData;
} shared;

// ---------------------------------------------------------------------------------------------------------------------
// Small operations

static void sign(EVP_PKEY *key, const Message *text, Message *signature) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    REQUIRE(context != NULL);
    REQUIRE(EVP_DigestSignInit(context, NULL, shared.sha256, NULL, key) == 1);
    signature->length = sizeof signature->bytes;
    REQUIRE(EVP_DigestSign(context, signature->bytes, &signature->length, text->bytes, text->length) == 1);
    EVP_MD_CTX_free(context);
}

static void verify(EVP_PKEY *key, const Message *text, const Message *signature) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    REQUIRE(context != NULL);
    REQUIRE(EVP_DigestVerifyInit(context, NULL, shared.sha256, NULL, key) == 1);
    REQUIRE(EVP_DigestVerify(context, signature->bytes, signature->length, text->bytes, text->length) == 1);
    EVP_MD_CTX_free(context);
}

// RSA-OAEP with SHA-256 for both hashes, in one direction or the other.
static EVP_PKEY_CTX *oaep(EVP_PKEY *key, int (*start)(EVP_PKEY_CTX *)) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    REQUIRE(context != NULL && start(context) == 1);
    REQUIRE(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1);
    REQUIRE(EVP_PKEY_CTX_set_rsa_oaep_md(context, shared.sha256) == 1);
    REQUIRE(EVP_PKEY_CTX_set_rsa_mgf1_md(context, shared.sha256) == 1);
    return context;
}

// The AES key of the pass data: SHA-256 over counter, shared secret and party information, as ECC_V2 has it. OpenSSL's
// check of the peer's point stays on: a server that skips it is faster and wrong.
static void derive(EVP_PKEY *own, EVP_PKEY *peer, const unsigned char point[pointSize], unsigned char key[32]) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
    REQUIRE(context != NULL && EVP_PKEY_derive_init(context) == 1);
    REQUIRE(EVP_PKEY_derive_set_peer(context, peer) == 1);
    unsigned char secret[32];
    size_t length = sizeof secret;
    REQUIRE(EVP_PKEY_derive(context, secret, &length) == 1 && length == sizeof secret);
    EVP_PKEY_CTX_free(context);

    static const char party[] = "\x0Did-aes256-GCMApple";
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    REQUIRE(digest != NULL && EVP_DigestInit_ex(digest, shared.sha256, NULL) == 1);
    REQUIRE(EVP_DigestUpdate(digest, "\0\0\0\1", 4) == 1);
    REQUIRE(EVP_DigestUpdate(digest, secret, sizeof secret) == 1);
    REQUIRE(EVP_DigestUpdate(digest, party, sizeof party - 1) == 1);
    REQUIRE(EVP_DigestUpdate(digest, point, pointSize) == 1);
    REQUIRE(EVP_DigestFinal_ex(digest, key, NULL) == 1);
    EVP_MD_CTX_free(digest);
}

// ---------------------------------------------------------------------------------------------------------------------
// The steps of one provisioning. What one step hands to the next is in Session.

typedef struct {
    unsigned char point[pointSize];  // public half of the ephemeral key
    unsigned char sealKey[32];       // derived by TSH
    unsigned char openKey[32];       // derived by the wallet
    Message sealed;                  // pass data, then the tag
    Message tav;
} Session;

// The reading of the CMS structure is not here: it is not OpenSSL's work in the sandbox, which has its own reader.
static void openCMS(Session *session) {
    (void)session;
    EVP_PKEY_CTX *context = oaep(shared.payloadKey, EVP_PKEY_decrypt_init);
    // OpenSSL wants room for a whole block, although only the 32 bytes of the content key come out.
    unsigned char contentKey[maxMessage];
    size_t keyLength = sizeof contentKey;
    REQUIRE(EVP_PKEY_decrypt(context, contentKey, &keyLength, shared.wrappedKey.bytes, shared.wrappedKey.length) == 1);
    REQUIRE(keyLength == 32);
    EVP_PKEY_CTX_free(context);

    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    unsigned char plain[maxMessage];
    int first = 0, last = 0;
    REQUIRE(cipher != NULL && EVP_DecryptInit_ex2(cipher, shared.cbc, contentKey, shared.iv, NULL) == 1);
    REQUIRE(EVP_DecryptUpdate(cipher, plain, &first, shared.cipherText.bytes, (int)shared.cipherText.length) == 1);
    REQUIRE(EVP_DecryptFinal_ex(cipher, plain + first, &last) == 1);
    REQUIRE((size_t)(first + last) == shared.card.length && memcmp(plain, shared.card.bytes, shared.card.length) == 0);
    EVP_CIPHER_CTX_free(cipher);
}

static void verifyAuthorizationCode(Session *session) {
    (void)session;
    verify(shared.issuerKey, &shared.code, &shared.codeSignature);
}

static void verifyChain(Session *session) {
    (void)session;
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    REQUIRE(context != NULL);
    REQUIRE(X509_STORE_CTX_init(context, shared.roots, shared.leaf, shared.untrusted) == 1);
    REQUIRE(X509_verify_cert(context) == 1);
    X509_STORE_CTX_free(context);
}

// TSH: a fresh ephemeral key against the key of the leaf certificate.
static void agreeWithEphemeralKey(Session *session) {
    EVP_PKEY *ephemeral = EVP_EC_gen("P-256");
    REQUIRE(ephemeral != NULL);
    size_t length = 0;
    REQUIRE(EVP_PKEY_get_octet_string_param(ephemeral, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, session->point, pointSize,
                                            &length) == 1);
    REQUIRE(length == pointSize);
    derive(ephemeral, shared.leafKey, session->point, session->sealKey);
    EVP_PKEY_free(ephemeral);
}

// The wallet: the key of the leaf certificate against the 65 bytes that arrived.
static void agreeWithLeafKey(Session *session) {
    EVP_PKEY *peer = EVP_PKEY_new();
    REQUIRE(peer != NULL && EVP_PKEY_copy_parameters(peer, shared.leafKey) == 1);
    REQUIRE(EVP_PKEY_set1_encoded_public_key(peer, session->point, pointSize) == 1);
    derive(shared.leafKey, peer, session->point, session->openKey);
    EVP_PKEY_free(peer);
}

static const unsigned char zeroIV[12];

static void seal(Session *session) {
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    int first = 0, last = 0;
    REQUIRE(cipher != NULL && EVP_EncryptInit_ex2(cipher, shared.gcm, session->sealKey, zeroIV, NULL) == 1);
    REQUIRE(EVP_EncryptUpdate(cipher, session->sealed.bytes, &first, shared.passData.bytes,
                              (int)shared.passData.length) == 1);
    REQUIRE(EVP_EncryptFinal_ex(cipher, session->sealed.bytes + first, &last) == 1);
    size_t length = (size_t)(first + last);
    REQUIRE(EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, tagSize, session->sealed.bytes + length) == 1);
    session->sealed.length = length + tagSize;
    EVP_CIPHER_CTX_free(cipher);
}

static void openSealed(Session *session) {
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    unsigned char plain[maxMessage];
    int first = 0, last = 0;
    size_t length = session->sealed.length - tagSize;
    REQUIRE(cipher != NULL && EVP_DecryptInit_ex2(cipher, shared.gcm, session->openKey, zeroIV, NULL) == 1);
    REQUIRE(EVP_DecryptUpdate(cipher, plain, &first, session->sealed.bytes, (int)length) == 1);
    REQUIRE(EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, tagSize, session->sealed.bytes + length) == 1);
    REQUIRE(EVP_DecryptFinal_ex(cipher, plain + first, &last) == 1);
    REQUIRE((size_t)(first + last) == shared.passData.length);
    REQUIRE(memcmp(plain, shared.passData.bytes, shared.passData.length) == 0);
    EVP_CIPHER_CTX_free(cipher);
}

static void signTAV(Session *session) { sign(shared.tavKey, &shared.tavText, &session->tav); }

static void verifyTAV(Session *session) { verify(shared.tavKey, &shared.tavText, &session->tav); }

typedef struct {
    const char *name;
    void (*run)(Session *);
} Step;

static const Step provisioning[] = {
    {"cmsOpen", openCMS},
    {"rs256Verify", verifyAuthorizationCode},
    {"chainVerify", verifyChain},
    {"ecdhEphemeral", agreeWithEphemeralKey},
    {"gcmSeal", seal},
    {"tavSign", signTAV},
    {"ecdhLeaf", agreeWithLeafKey},
    {"gcmOpen", openSealed},
    {"tavVerify", verifyTAV},
};

// ---------------------------------------------------------------------------------------------------------------------
// The steps of making a device. Its certificate is put together by hand: OpenSSL 3.0 takes 0.3 ms to make one.

static void generateKey(Session *session) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    unsigned char *point = NULL;
    REQUIRE(key != NULL && EVP_PKEY_get1_encoded_public_key(key, &point) == pointSize);
    memcpy(session->point, point, pointSize);
    OPENSSL_free(point);
    EVP_PKEY_free(key);
}

static void signCertificate(Session *session) { sign(shared.subKey, &shared.passData, &session->tav); }

static const Step device[] = {{"keyGenerate", generateKey}, {"certificateSign", signCertificate}};
enum {
    mostSteps = sizeof provisioning / sizeof provisioning[0],
    deviceSteps = sizeof device / sizeof device[0],
};

// ---------------------------------------------------------------------------------------------------------------------
// Preparation

static void setText(Message *message, const char *text) {
    message->length = strlen(text);
    REQUIRE(message->length <= sizeof message->bytes);
    memcpy(message->bytes, text, message->length);
}

static void extend(X509 *certificate, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    REQUIRE(extension != NULL && X509_add_ext(certificate, extension, -1) == 1);
    X509_EXTENSION_free(extension);
}

// The certificate goes through DER, because a parsed certificate is what a server has.
static X509 *certify(const char *name, EVP_PKEY *key, X509 *issuer, EVP_PKEY *issuerKey, const char *constraints,
                     const char *usage) {
    static long serial;
    X509 *made = X509_new();
    REQUIRE(made != NULL && X509_set_version(made, X509_VERSION_3) == 1);
    REQUIRE(ASN1_INTEGER_set(X509_get_serialNumber(made), ++serial) == 1);
    REQUIRE(X509_gmtime_adj(X509_getm_notBefore(made), -3600) != NULL);
    REQUIRE(X509_gmtime_adj(X509_getm_notAfter(made), 86400) != NULL);
    X509_NAME *subject = X509_get_subject_name(made);
    REQUIRE(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0) == 1);
    REQUIRE(X509_set_issuer_name(made, issuer != NULL ? X509_get_subject_name(issuer) : subject) == 1);
    REQUIRE(X509_set_pubkey(made, key) == 1);
    extend(made, made, NID_basic_constraints, constraints);
    extend(made, made, NID_key_usage, usage);
    extend(made, made, NID_subject_key_identifier, "hash");
    if (issuer != NULL) extend(made, issuer, NID_authority_key_identifier, "keyid");
    REQUIRE(X509_sign(made, issuerKey, shared.sha256) > 0);

    unsigned char *der = NULL;
    int length = i2d_X509(made, &der);
    REQUIRE(length > 0);
    const unsigned char *cursor = der;
    X509 *parsed = d2i_X509(NULL, &cursor, length);
    REQUIRE(parsed != NULL);
    OPENSSL_free(der);
    X509_free(made);
    return parsed;
}

static void prepareChain(void) {
    EVP_PKEY *rootKey = EVP_EC_gen("P-256");
    EVP_PKEY *subKey = EVP_EC_gen("P-256");
    shared.leafKey = EVP_EC_gen("P-256");
    REQUIRE(rootKey != NULL && subKey != NULL && shared.leafKey != NULL);
    X509 *root = certify("bench root", rootKey, NULL, rootKey, "critical,CA:TRUE", "critical,keyCertSign,cRLSign");
    X509 *sub = certify("bench sub-CA", subKey, root, rootKey, "critical,CA:TRUE,pathlen:0",
                        "critical,keyCertSign,cRLSign");
    // Without Apple's marker extension: it is critical and unknown to OpenSSL, and costs nothing to look at.
    shared.leaf = certify("bench leaf", shared.leafKey, sub, subKey, "critical,CA:FALSE",
                          "critical,keyEncipherment,keyAgreement");
    shared.roots = X509_STORE_new();
    REQUIRE(shared.roots != NULL && X509_STORE_add_cert(shared.roots, root) == 1);
    shared.untrusted = sk_X509_new_null();
    REQUIRE(shared.untrusted != NULL && sk_X509_push(shared.untrusted, sub) > 0);
    shared.subKey = subKey;
    X509_free(root);
    EVP_PKEY_free(rootKey);
}

// Encrypts the card as an issuer does: a random content key, AES-256-CBC, the key wrapped with RSA-OAEP.
static void preparePayload(unsigned bits) {
    shared.payloadKey = EVP_RSA_gen(bits);
    REQUIRE(shared.payloadKey != NULL);
    setText(&shared.card, "{\"issuerCardRefId\":\"card-visa\",\"fpan\":\"4761732103612718\",\"exp\":\"1230\","
                          "\"cardHolderName\":\"ANA PRUEBA\",\"cvv\":\"123\",\"postalAddress\":{\"line1\":\"Calle 1\","
                          "\"city\":\"Lima\",\"postalCode\":\"15001\",\"country\":\"PE\"}}");
    unsigned char contentKey[32];
    REQUIRE(RAND_bytes(contentKey, sizeof contentKey) == 1 && RAND_bytes(shared.iv, sizeof shared.iv) == 1);

    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    int first = 0, last = 0;
    REQUIRE(cipher != NULL && EVP_EncryptInit_ex2(cipher, shared.cbc, contentKey, shared.iv, NULL) == 1);
    REQUIRE(EVP_EncryptUpdate(cipher, shared.cipherText.bytes, &first, shared.card.bytes,
                              (int)shared.card.length) == 1);
    REQUIRE(EVP_EncryptFinal_ex(cipher, shared.cipherText.bytes + first, &last) == 1);
    shared.cipherText.length = (size_t)(first + last);
    EVP_CIPHER_CTX_free(cipher);

    EVP_PKEY_CTX *context = oaep(shared.payloadKey, EVP_PKEY_encrypt_init);
    shared.wrappedKey.length = sizeof shared.wrappedKey.bytes;
    REQUIRE(EVP_PKEY_encrypt(context, shared.wrappedKey.bytes, &shared.wrappedKey.length, contentKey,
                             sizeof contentKey) == 1);
    EVP_PKEY_CTX_free(context);
}

static void prepare(unsigned bits) {
    shared.sha256 = EVP_MD_fetch(NULL, "SHA2-256", NULL);
    shared.cbc = EVP_CIPHER_fetch(NULL, "AES-256-CBC", NULL);
    shared.gcm = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    REQUIRE(shared.sha256 != NULL && shared.cbc != NULL && shared.gcm != NULL);

    preparePayload(bits);
    prepareChain();
    shared.issuerKey = EVP_RSA_gen(2048);
    shared.tavKey = EVP_RSA_gen(2048);
    REQUIRE(shared.issuerKey != NULL && shared.tavKey != NULL);
    setText(&shared.code, "eyJhbGciOiJSUzI1NiIsImtpZCI6ImRlbW9iYW5rMDEtYXV0aC0xIn0."
                          "eyJpc3MiOiJERU1PQkFOSzAxIiwic3ViIjoiY2FyZC12aXNhIiwiYXVkIjoiQVBQTEVfUEFZIiwiZXhwIjoxNzk1"
                          "OTgyODAwLCJpYXQiOjE3OTU5ODI1MDAsImp0aSI6IjNmMGM4YTUyLTZkMWUtNGI3OS05YTQwLWMyZTg1ZDE3ZjZi"
                          "MyJ9");
    sign(shared.issuerKey, &shared.code, &shared.codeSignature);
    setText(&shared.tavText, "2026-11-30T12:30:00Z|5413331208993146|1230");
    setText(&shared.passData, "{\"primaryAccountNumber\":\"4761732103612718\",\"expiration\":\"12/30\","
                              "\"name\":\"ANA PRUEBA\",\"nonce\":\"9c2f6b1e\",\"nonceSignature\":"
                              "\"405ad1a5e7f24c1f8b6f0d9e3c7a5b2140d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5"
                              "c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7\"}");
}

// ---------------------------------------------------------------------------------------------------------------------
// Measuring

typedef struct {
    unsigned long done;
    double seconds;
    double spent[mostSteps];
} Result;

static const Step *steps = provisioning;
static size_t stepCount = mostSteps;
static atomic_bool stopped;
static pthread_barrier_t ready;

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *work(void *argument) {
    Result *result = argument;
    Session session;
    // Not counted: the first rounds fill OpenSSL's caches and make the blinding values of the RSA keys.
    for (int round = 0; round < 20; round++)
        for (size_t step = 0; step < stepCount; step++) steps[step].run(&session);
    pthread_barrier_wait(&ready);

    double begin = now(CLOCK_MONOTONIC), last = begin;
    while (!atomic_load_explicit(&stopped, memory_order_relaxed)) {
        for (size_t step = 0; step < stepCount; step++) {
            steps[step].run(&session);
            double time = now(CLOCK_MONOTONIC);
            result->spent[step] += time - last;
            last = time;
        }
        result->done++;
    }
    result->seconds = last - begin;
    return NULL;
}

int main(int argc, char **argv) {
    long seconds = 0;
    unsigned bits = 2048;
    for (int index = 1; index < argc; index++) {
        char *end = NULL;
        if (strcmp(argv[index], "--rsa-4096") == 0) {
            bits = 4096;
        } else if (strcmp(argv[index], "device") == 0) {
            steps = device;
            stepCount = deviceSteps;
        } else if (strcmp(argv[index], "provisioning") == 0) {
            continue;
        } else if (seconds == 0 && (seconds = strtol(argv[index], &end, 10)) > 0 && seconds <= 3600 && *end == '\0') {
            continue;
        } else {
            seconds = 0;
            break;
        }
    }
    if (seconds == 0) {
        fprintf(stderr, "usage: crypto-bare SECONDS provisioning|device [--rsa-4096]\n");
        return 2;
    }

    prepare(bits);
    pthread_t threads[threadCount];
    Result results[threadCount] = {0};
    REQUIRE(pthread_barrier_init(&ready, NULL, threadCount + 1) == 0);
    for (int index = 0; index < threadCount; index++)
        REQUIRE(pthread_create(&threads[index], NULL, work, &results[index]) == 0);
    pthread_barrier_wait(&ready);
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    struct timespec left = {.tv_sec = seconds};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
    atomic_store(&stopped, true);

    double perSecond = 0, spent[mostSteps] = {0};
    unsigned long done = 0;
    for (int index = 0; index < threadCount; index++) {
        REQUIRE(pthread_join(threads[index], NULL) == 0);
        perSecond += (double)results[index].done / results[index].seconds;
        done += results[index].done;
        for (size_t step = 0; step < stepCount; step++) spent[step] += results[index].spent[step];
    }
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("{\"operationsPerSecond\":%.1f,\"cpuMicroseconds\":%.1f,\"perOperation\":{", perSecond,
           cpu * 1e6 / (double)done);
    for (size_t step = 0; step < stepCount; step++)
        printf("%s\"%s\":%.1f", step == 0 ? "" : ",", steps[step].name, spent[step] * 1e6 / (double)done);
    printf("}}\n");
    return 0;
}
