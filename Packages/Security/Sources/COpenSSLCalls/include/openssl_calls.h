// SPDX-License-Identifier: MIT
#ifndef PARLEY_COPENSSLCALLS_H
#define PARLEY_COPENSSLCALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *copenssl_load(void);

#endif
