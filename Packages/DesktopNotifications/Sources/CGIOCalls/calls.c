// SPDX-License-Identifier: MIT
#include "gio_calls.h"

#include "../CGIO/shim.h"

CLAZY_LIBRARY(cgio, "libgio-2.0.so.0", "libglib2.0-0", CGIO_FUNCTIONS)
