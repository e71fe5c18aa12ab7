#pragma once

#include <stddef.h>

/* Files that are part of the program. The bytes live as long as it does; nobody frees them. */

/* Docs/openapi/d1.json; its length goes into count. */
const unsigned char *resource_openapi_d1(size_t *count);

/* Docs/openapi/control.json, likewise. */
const unsigned char *resource_openapi_control(size_t *count);

/* Docs/openapi/tpc.json, likewise. */
const unsigned char *resource_openapi_tpc(size_t *count);

/* Docs/openapi/wallet.json, likewise. */
const unsigned char *resource_openapi_wallet(size_t *count);

/* A file of the repository that is part of the program. */
struct resource_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

/* All of them, by their paths in the repository; how many goes into count. */
const struct resource_file *resource_files(size_t *count);
