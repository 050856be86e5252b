// SPDX-License-Identifier: MIT
#include "secret_calls.h"

#include "../CSecret/shim.h"

CLAZY_LIBRARY(csecret, "libsecret-1.so.0", "libsecret-1-0", CSECRET_FUNCTIONS)
