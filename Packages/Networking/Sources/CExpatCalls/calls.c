// SPDX-License-Identifier: MIT
#include "expat_calls.h"

#include "../CExpat/shim.h"

CLAZY_LIBRARY(cexpat, "libexpat.so.1", "libexpat1", CEXPAT_FUNCTIONS)
