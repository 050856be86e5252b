// SPDX-License-Identifier: MIT
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

// Else the path of this file is in every program, and two builds of one commit differ.
#define OPENSSL_NO_FILENAMES

#include <lazy_library.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

#define COPENSSL_FUNCTIONS(F) \
    F(copenssl, BN_bin2bn) F(copenssl, BN_bn2binpad) F(copenssl, BN_free) F(copenssl, CRYPTO_free) \
    F(copenssl, CRYPTO_malloc) F(copenssl, CRYPTO_memcmp) F(copenssl, CRYPTO_secure_clear_free) \
    F(copenssl, CRYPTO_secure_malloc) F(copenssl, CRYPTO_secure_malloc_init) F(copenssl, CRYPTO_secure_used) \
    F(copenssl, ECDSA_SIG_free) F(copenssl, ECDSA_SIG_get0_r) F(copenssl, ECDSA_SIG_get0_s) F(copenssl, ECDSA_SIG_new) \
    F(copenssl, ECDSA_SIG_set0) F(copenssl, ERR_clear_error) F(copenssl, EVP_CIPHER_CTX_ctrl) \
    F(copenssl, EVP_CIPHER_CTX_free) F(copenssl, EVP_CIPHER_CTX_new) F(copenssl, EVP_CIPHER_fetch) \
    F(copenssl, EVP_CIPHER_free) F(copenssl, EVP_CipherFinal_ex) F(copenssl, EVP_CipherInit_ex2) \
    F(copenssl, EVP_CipherUpdate) F(copenssl, EVP_DigestFinal_ex) F(copenssl, EVP_DigestInit_ex) F(copenssl, EVP_DigestSign) \
    F(copenssl, EVP_DigestSignInit) F(copenssl, EVP_DigestUpdate) F(copenssl, EVP_DigestVerify) \
    F(copenssl, EVP_DigestVerifyInit) F(copenssl, EVP_KDF_CTX_free) F(copenssl, EVP_KDF_CTX_new) F(copenssl, EVP_KDF_derive) \
    F(copenssl, EVP_KDF_fetch) F(copenssl, EVP_KDF_free) F(copenssl, EVP_MD_CTX_copy_ex) F(copenssl, EVP_MD_CTX_free) \
    F(copenssl, EVP_MD_CTX_new) F(copenssl, EVP_MD_get_size) F(copenssl, EVP_PBE_scrypt) F(copenssl, EVP_PKEY_CTX_free) \
    F(copenssl, EVP_PKEY_CTX_new) F(copenssl, EVP_PKEY_CTX_new_from_name) F(copenssl, EVP_PKEY_Q_keygen) \
    F(copenssl, EVP_PKEY_derive) F(copenssl, EVP_PKEY_derive_init) F(copenssl, EVP_PKEY_derive_set_peer) \
    F(copenssl, EVP_PKEY_free) F(copenssl, EVP_PKEY_fromdata) F(copenssl, EVP_PKEY_fromdata_init) \
    F(copenssl, EVP_PKEY_get_group_name) F(copenssl, EVP_PKEY_get_octet_string_param) \
    F(copenssl, EVP_PKEY_get_raw_private_key) F(copenssl, EVP_PKEY_get_raw_public_key) \
    F(copenssl, EVP_PKEY_new_raw_private_key) F(copenssl, EVP_PKEY_new_raw_public_key) F(copenssl, EVP_sha1) \
    F(copenssl, EVP_sha256) F(copenssl, HMAC) F(copenssl, OPENSSL_init_crypto) F(copenssl, OSSL_PARAM_construct_end) \
    F(copenssl, OSSL_PARAM_construct_octet_string) F(copenssl, OSSL_PARAM_construct_utf8_string) F(copenssl, RAND_bytes) \
    F(copenssl, RAND_priv_bytes) F(copenssl, X509_free) F(copenssl, X509_get_X509_PUBKEY) F(copenssl, d2i_ECDSA_SIG) \
    F(copenssl, d2i_PrivateKey) F(copenssl, d2i_X509) F(copenssl, i2d_ECDSA_SIG) F(copenssl, i2d_PrivateKey) \
    F(copenssl, i2d_X509_PUBKEY)
COPENSSL_FUNCTIONS(CLAZY_RENAME)

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

// libcrypto frees its tables when the process exits, while threads may still use them: even the end of a thread that used it
// does. It must be told before it is used for the first time.
static inline void copenssl_stay_until_exit(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

#endif
