// SPDX-License-Identifier: MIT

/// The number of calls of malloc, calloc and realloc in this process so far.
unsigned long long allocations(void);
