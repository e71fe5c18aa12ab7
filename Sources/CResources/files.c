#include "CResources.h"

/* Keys and fixtures that a server uses which is given no folder. A test compares the list with the folders. */

#define FILE_BEGIN(number) static const unsigned char file_##number[] = {
#define FILE_END };

FILE_BEGIN(0)
#embed "../../keys/apple/root.cert.pem"
FILE_END
FILE_BEGIN(1)
#embed "../../keys/apple/root.key.pem"
FILE_END
FILE_BEGIN(2)
#embed "../../keys/apple/sub-ca.cert.pem"
FILE_END
FILE_BEGIN(3)
#embed "../../keys/apple/sub-ca.key.pem"
FILE_END
FILE_BEGIN(4)
#embed "../../keys/d1/encryption.key.pem"
FILE_END
FILE_BEGIN(5)
#embed "../../keys/d1/encryption.pub.pem"
FILE_END
FILE_BEGIN(6)
#embed "../../keys/issuers/DEMOBANK01/authorization.key.pem"
FILE_END
FILE_BEGIN(7)
#embed "../../keys/issuers/DEMOBANK01/authorization.pub.pem"
FILE_END
FILE_BEGIN(8)
#embed "../../keys/issuers/DEMOBANK01/d1.key.pem"
FILE_END
FILE_BEGIN(9)
#embed "../../keys/issuers/DEMOBANK01/d1.pub.pem"
FILE_END
FILE_BEGIN(10)
#embed "../../keys/issuers/DEMOBANK01/tav.key.pem"
FILE_END
FILE_BEGIN(11)
#embed "../../keys/issuers/DEMOBANK01/tav.pub.pem"
FILE_END
FILE_BEGIN(12)
#embed "../../keys/issuers/DEMOBANK02/authorization.key.pem"
FILE_END
FILE_BEGIN(13)
#embed "../../keys/issuers/DEMOBANK02/authorization.pub.pem"
FILE_END
FILE_BEGIN(14)
#embed "../../keys/issuers/DEMOBANK02/d1.key.pem"
FILE_END
FILE_BEGIN(15)
#embed "../../keys/issuers/DEMOBANK02/d1.pub.pem"
FILE_END
FILE_BEGIN(16)
#embed "../../keys/issuers/DEMOBANK02/tav.key.pem"
FILE_END
FILE_BEGIN(17)
#embed "../../keys/issuers/DEMOBANK02/tav.pub.pem"
FILE_END
FILE_BEGIN(18)
#embed "../../keys/tsh/payload-2048.cert.pem"
FILE_END
FILE_BEGIN(19)
#embed "../../keys/tsh/payload-2048.key.pem"
FILE_END
FILE_BEGIN(20)
#embed "../../keys/tsh/payload-4096.cert.pem"
FILE_END
FILE_BEGIN(21)
#embed "../../keys/tsh/payload-4096.key.pem"
FILE_END
FILE_BEGIN(22)
#embed "../../keys/tsh/tav.key.pem"
FILE_END
FILE_BEGIN(23)
#embed "../../keys/tsh/tav.pub.pem"
FILE_END
FILE_BEGIN(24)
#embed "../../fixtures/tenants/default.json"
FILE_END
FILE_BEGIN(25)
#embed "../../fixtures/test-pans.json"
FILE_END

static const struct resource_file files[] = {
    {"keys/apple/root.cert.pem", file_0, sizeof file_0},
    {"keys/apple/root.key.pem", file_1, sizeof file_1},
    {"keys/apple/sub-ca.cert.pem", file_2, sizeof file_2},
    {"keys/apple/sub-ca.key.pem", file_3, sizeof file_3},
    {"keys/d1/encryption.key.pem", file_4, sizeof file_4},
    {"keys/d1/encryption.pub.pem", file_5, sizeof file_5},
    {"keys/issuers/DEMOBANK01/authorization.key.pem", file_6, sizeof file_6},
    {"keys/issuers/DEMOBANK01/authorization.pub.pem", file_7, sizeof file_7},
    {"keys/issuers/DEMOBANK01/d1.key.pem", file_8, sizeof file_8},
    {"keys/issuers/DEMOBANK01/d1.pub.pem", file_9, sizeof file_9},
    {"keys/issuers/DEMOBANK01/tav.key.pem", file_10, sizeof file_10},
    {"keys/issuers/DEMOBANK01/tav.pub.pem", file_11, sizeof file_11},
    {"keys/issuers/DEMOBANK02/authorization.key.pem", file_12, sizeof file_12},
    {"keys/issuers/DEMOBANK02/authorization.pub.pem", file_13, sizeof file_13},
    {"keys/issuers/DEMOBANK02/d1.key.pem", file_14, sizeof file_14},
    {"keys/issuers/DEMOBANK02/d1.pub.pem", file_15, sizeof file_15},
    {"keys/issuers/DEMOBANK02/tav.key.pem", file_16, sizeof file_16},
    {"keys/issuers/DEMOBANK02/tav.pub.pem", file_17, sizeof file_17},
    {"keys/tsh/payload-2048.cert.pem", file_18, sizeof file_18},
    {"keys/tsh/payload-2048.key.pem", file_19, sizeof file_19},
    {"keys/tsh/payload-4096.cert.pem", file_20, sizeof file_20},
    {"keys/tsh/payload-4096.key.pem", file_21, sizeof file_21},
    {"keys/tsh/tav.key.pem", file_22, sizeof file_22},
    {"keys/tsh/tav.pub.pem", file_23, sizeof file_23},
    {"fixtures/tenants/default.json", file_24, sizeof file_24},
    {"fixtures/test-pans.json", file_25, sizeof file_25},
};

const struct resource_file *resource_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
