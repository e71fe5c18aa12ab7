#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Macros that the importer does not see, one function each. */

/* OPENSSL_free: releases what OpenSSL allocated for the caller. */
static inline void shim_OPENSSL_free(void *pointer) { OPENSSL_free(pointer); }

/* OPENSSL_memdup: a copy that OpenSSL may take over. */
static inline void *shim_OPENSSL_memdup(const void *bytes, size_t count) { return OPENSSL_memdup(bytes, count); }

/* EVP_PKEY_KEYPAIR: a set of flags that is an expression. */
static const int shim_EVP_PKEY_KEYPAIR = EVP_PKEY_KEYPAIR;
