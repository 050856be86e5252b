// SPDX-License-Identifier: MIT
#ifndef PARLEY_CGIOCALLS_H
#define PARLEY_CGIOCALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *cgio_load(void);

#endif
