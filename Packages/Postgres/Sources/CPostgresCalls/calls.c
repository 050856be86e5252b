// SPDX-License-Identifier: MIT
#include "postgres_calls.h"

#include "../CPostgres/shim.h"

CLAZY_LIBRARY(cpostgres, "libpq.so.5", "libpq5", CPOSTGRES_FUNCTIONS)
