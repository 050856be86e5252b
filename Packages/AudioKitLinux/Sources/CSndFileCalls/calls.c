// SPDX-License-Identifier: MIT
#include "sndfile_calls.h"

#include "../CSndFile/shim.h"

CLAZY_LIBRARY(csndfile, "libsndfile.so.1", "libsndfile1", CSNDFILE_FUNCTIONS)
