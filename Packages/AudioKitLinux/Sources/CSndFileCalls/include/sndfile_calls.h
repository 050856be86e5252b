// SPDX-License-Identifier: MIT
#ifndef PARLEY_CSNDFILECALLS_H
#define PARLEY_CSNDFILECALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *csndfile_load(void);

#endif
