// SPDX-License-Identifier: MIT
#ifndef RAW_H
#define RAW_H

#include <sqlite3.h>

// The same work on SQLite's C API as it is: statements prepared once, values bound with SQLITE_STATIC. Each function
// measures itself and returns nanoseconds, or a negative number when something failed.

typedef struct {
    long long id;
    char *name;
    double amount;
} raw_item;

// Nanoseconds of the processor when BENCH_PROCESSOR_TIME is set, else of the wall clock.
long long raw_now(void);
long long raw_insert(const char *path, const raw_item *items, long count);
long long raw_transactions(const char *path, const raw_item *items, long count, int full);
// The same, each handed to a thread of its own and waited for, by a mutex and two condition variables.
long long raw_handed_transactions(const char *path, const raw_item *items, long count, int full);
long long raw_read(const char *path, long count);
long long raw_look_up(const char *path, const long long *ids, long count);

#endif
