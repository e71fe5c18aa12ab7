#include "CResources.h"

static const unsigned char openapi_d1[] = {
#embed "../../Docs/openapi/d1.json"
};

const unsigned char *resource_openapi_d1(size_t *count) {
    *count = sizeof openapi_d1;
    return openapi_d1;
}

static const unsigned char openapi_control[] = {
#embed "../../Docs/openapi/control.json"
};

const unsigned char *resource_openapi_control(size_t *count) {
    *count = sizeof openapi_control;
    return openapi_control;
}

static const unsigned char openapi_tpc[] = {
#embed "../../Docs/openapi/tpc.json"
};

const unsigned char *resource_openapi_tpc(size_t *count) {
    *count = sizeof openapi_tpc;
    return openapi_tpc;
}

static const unsigned char openapi_wallet[] = {
#embed "../../Docs/openapi/wallet.json"
};

const unsigned char *resource_openapi_wallet(size_t *count) {
    *count = sizeof openapi_wallet;
    return openapi_wallet;
}
