// SPDX-License-Identifier: MIT
#ifndef PARLEY_CEXPATCALLS_H
#define PARLEY_CEXPATCALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *cexpat_load(void);

#endif
