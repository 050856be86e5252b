// SPDX-License-Identifier: MIT
#ifndef PARLEY_CQRENCODECALLS_H
#define PARLEY_CQRENCODECALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *cqrencode_load(void);

#endif
