// SPDX-License-Identifier: MIT
#ifndef PARLEY_CSNDFILE_SHIM_H
#define PARLEY_CSNDFILE_SHIM_H

#include <sndfile.h>

#endif
