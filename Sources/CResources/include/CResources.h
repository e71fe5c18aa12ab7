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
