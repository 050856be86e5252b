// SPDX-License-Identifier: MIT
#include "speech_calls.h"

#include "../CPocketSphinx/shim.h"
#include "../CFlite/shim.h"

CLAZY_LIBRARY(cpocketsphinx, "libpocketsphinx.so.3", "libpocketsphinx3", CPOCKETSPHINX_FUNCTIONS)
CLAZY_LIBRARY(cflite, "libflite.so.1", "libflite1", CFLITE_FUNCTIONS)
