// SPDX-License-Identifier: MIT

#include "allocations.h"

#include <stdatomic.h>
#include <stddef.h>

// An executable's own malloc takes the place of glibc's everywhere in the process; free and the rest stay.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static atomic_ullong count;

static void counted(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    counted();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    counted();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    counted();
    return __libc_realloc(memory, size);
}

unsigned long long allocations(void) { return atomic_load_explicit(&count, memory_order_relaxed); }
