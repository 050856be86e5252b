// SPDX-License-Identifier: MIT
#include "microhttpd_calls.h"

#include "../CMicroHTTPD/shim.h"

CLAZY_LIBRARY(cmhd, "libmicrohttpd.so.12", "libmicrohttpd12", CMHD_FUNCTIONS)
