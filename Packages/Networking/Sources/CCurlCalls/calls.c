// SPDX-License-Identifier: MIT
#include "curl_calls.h"

#include "../CCurl/shim.h"

CLAZY_LIBRARY(ccurl, "libcurl.so.4", "libcurl4", CCURL_FUNCTIONS)
