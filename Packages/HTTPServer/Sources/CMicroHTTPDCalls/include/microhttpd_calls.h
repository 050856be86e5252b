// SPDX-License-Identifier: MIT
#ifndef PARLEY_CMICROHTTPDCALLS_H
#define PARLEY_CMICROHTTPDCALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *cmhd_load(void);

#endif
