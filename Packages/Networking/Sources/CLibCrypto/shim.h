// SPDX-License-Identifier: MIT

#pragma once

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

// libcrypto takes its tables away when the process exits, while threads may still close connections with them. It must be told
// before it is used for the first time.
static inline int clibcrypto_stay_until_exit(void) {
    return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
