// SPDX-License-Identifier: MIT
#ifndef PARLEY_CZLIB_SHIM_H
#define PARLEY_CZLIB_SHIM_H

#include <zlib.h>

#endif
