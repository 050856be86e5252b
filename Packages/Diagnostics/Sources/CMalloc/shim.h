// SPDX-License-Identifier: MIT
#ifndef PARLEY_CMALLOC_SHIM_H
#define PARLEY_CMALLOC_SHIM_H

// glibc's own part of malloc, which Swift's Glibc module leaves out.
#include <malloc.h>

#endif
