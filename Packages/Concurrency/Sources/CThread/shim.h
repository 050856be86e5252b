// SPDX-License-Identifier: MIT
#ifndef PARLEY_CTHREAD_SHIM_H
#define PARLEY_CTHREAD_SHIM_H

#include <sys/prctl.h>

// prctl is variadic, and glibc's own call for this is hidden behind _GNU_SOURCE. At most 15 bytes.
static inline void cthread_set_name(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

#endif
