// SPDX-License-Identifier: MIT
#ifndef PARLEY_CSECRETCALLS_H
#define PARLEY_CSECRETCALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *csecret_load(void);

#endif
