// SPDX-License-Identifier: MIT

#include "baseline.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

// Seals into `fixed`, or into new memory each time when that is NULL.
static int seal(const unsigned char key[32], const unsigned char *message, size_t count,
                const unsigned char *context, size_t context_count, unsigned char *fixed, int rounds) {
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    EVP_CIPHER_CTX *cipher_context = EVP_CIPHER_CTX_new();
    unsigned long long counter = 0;
    unsigned char nonce[12] = {0};
    int written = 0;
    int good = EVP_EncryptInit_ex2(cipher_context, cipher, key, NULL, NULL);
    for (int round = 0; good == 1 && round < rounds; round++) {
        unsigned char *output = fixed ? fixed : malloc(count + 28);
        counter++;
        memcpy(nonce, &counter, sizeof counter);
        memcpy(output, nonce, sizeof nonce);
        good = EVP_EncryptInit_ex2(cipher_context, NULL, NULL, nonce, NULL) == 1 &&
               EVP_EncryptUpdate(cipher_context, NULL, &written, context, (int)context_count) == 1 &&
               EVP_EncryptUpdate(cipher_context, output + 12, &written, message, (int)count) == 1 &&
               EVP_EncryptFinal_ex(cipher_context, output + 12 + written, &written) == 1 &&
               EVP_CIPHER_CTX_ctrl(cipher_context, EVP_CTRL_AEAD_GET_TAG, 16, output + 12 + count) == 1;
        if (!fixed) free(output);
    }
    EVP_CIPHER_CTX_free(cipher_context);
    EVP_CIPHER_free(cipher);
    return good;
}

int baseline_seal(const unsigned char key[32], const unsigned char *message, size_t count,
                  const unsigned char *context, size_t context_count, unsigned char *output, int rounds) {
    return seal(key, message, count, context, context_count, output, rounds);
}

int baseline_seal_fresh(const unsigned char key[32], const unsigned char *message, size_t count,
                        const unsigned char *context, size_t context_count, int rounds) {
    return seal(key, message, count, context, context_count, NULL, rounds);
}

int baseline_open(const unsigned char key[32], const unsigned char *sealed, size_t sealed_count,
                  const unsigned char *context, size_t context_count, unsigned char *output, int rounds) {
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    EVP_CIPHER_CTX *cipher_context = EVP_CIPHER_CTX_new();
    size_t count = sealed_count - 28;
    int written = 0;
    int good = EVP_DecryptInit_ex2(cipher_context, cipher, key, NULL, NULL);
    for (int round = 0; good == 1 && round < rounds; round++) {
        good = EVP_DecryptInit_ex2(cipher_context, NULL, NULL, sealed, NULL) == 1 &&
               EVP_DecryptUpdate(cipher_context, NULL, &written, context, (int)context_count) == 1 &&
               EVP_DecryptUpdate(cipher_context, output, &written, sealed + 12, (int)count) == 1 &&
               EVP_CIPHER_CTX_ctrl(cipher_context, EVP_CTRL_AEAD_SET_TAG, 16, (void *)(sealed + 12 + count)) == 1 &&
               EVP_DecryptFinal_ex(cipher_context, output + written, &written) == 1;
    }
    EVP_CIPHER_CTX_free(cipher_context);
    EVP_CIPHER_free(cipher);
    return good;
}
