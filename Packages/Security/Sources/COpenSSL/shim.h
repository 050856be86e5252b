// SPDX-License-Identifier: MIT
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

// OPENSSL_secure_malloc and its counterpart are macros that add the file and the line.
static inline void *copenssl_secure_malloc(size_t count) {
    return OPENSSL_secure_malloc(count);
}

static inline void *copenssl_malloc(size_t count) {
    return OPENSSL_malloc(count);
}

static inline void copenssl_secure_clear_free(void *pointer, size_t count) {
    OPENSSL_secure_clear_free(pointer, count);
}

// EVP_EC_gen is a macro over a variadic function.
static inline EVP_PKEY *copenssl_generate_p256(void) {
    return EVP_EC_gen("P-256");
}

// A macro of macros.
static inline int copenssl_public_key_selection(void) {
    return EVP_PKEY_PUBLIC_KEY;
}

#endif
