// SPDX-License-Identifier: MIT
#ifndef PARLEY_CCURLCALLS_H
#define PARLEY_CCURLCALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *ccurl_load(void);

#endif
