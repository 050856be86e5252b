// SPDX-License-Identifier: MIT
#ifndef PARLEY_COUNTING_H
#define PARLEY_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

// Counts what the audio threads do that they must not: threads whose names begin with "parley-capture" or
// "parley-playback". What libasound itself does is not counted.

/// What was counted since `parley_counting_begin`.
typedef struct {
    /// malloc, calloc, realloc, free and their relatives.
    long allocations;
    /// POSIX mutexes and reader-writer locks, `Diagnostics.Guarded`, and waits in the kernel for any lock.
    long locks;
    /// Sleeps, and opening, reading and writing of files; 8 bytes to or from a descriptor that is an eventfd are not.
    long system_calls;
} parley_counts;

/// Whether this build counts at all: a sanitizer has its own allocator and its own locks, and leaves no room.
bool parley_counting_is_possible(void);

/// Counts from now on.
void parley_counting_begin(void);

/// Ends counting, and returns what was counted.
parley_counts parley_counting_end(void);

/// Where the first things that were counted came from, one address in a line: "allocation OBJECT+OFFSET".
const char *parley_counting_places(void);

/// How many bytes the process holds from malloc.
int64_t parley_bytes_in_use(void);

#endif
