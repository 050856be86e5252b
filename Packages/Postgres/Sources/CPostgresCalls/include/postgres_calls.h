// SPDX-License-Identifier: MIT
#ifndef PARLEY_CPOSTGRESCALLS_H
#define PARLEY_CPOSTGRESCALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *cpostgres_load(void);

#endif
