// SPDX-License-Identifier: MIT
#include "openssl_calls.h"

#include "../COpenSSL/shim.h"

CLAZY_LIBRARY(copenssl, "libcrypto.so.3", "libssl3", COPENSSL_FUNCTIONS)
