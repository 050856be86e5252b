// SPDX-License-Identifier: MIT
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

// Room for the handler's frames (below 8 KiB), those of an earlier handler, and the registers that the kernel saves, which AMX makes 11 KiB large.
enum { STACK = 65536, GUARD = 65536 };

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int key_failure;

static void release(void *memory) {
    stack_t none = {.ss_flags = SS_DISABLE};
    if (sigaltstack(&none, NULL) == 0) munmap(memory, GUARD + STACK);
}

static void make_key(void) { key_failure = pthread_key_create(&key, release); }

int crash_protect_thread(void) {
    stack_t current;
    if (sigaltstack(NULL, &current) != 0) return errno;
    // Swift's backtracer brings a stack of its own, too small for two handlers.
    if ((current.ss_flags & SS_DISABLE) == 0 && current.ss_size >= STACK) return 0;
    pthread_once(&once, make_key);
    if (key_failure != 0) return key_failure;
    char *memory = mmap(NULL, GUARD + STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return errno;
    stack_t stack = {.ss_sp = memory + GUARD, .ss_size = STACK};
    int failure = mprotect(stack.ss_sp, STACK, PROT_READ | PROT_WRITE) != 0 ? errno : pthread_setspecific(key, memory);
    if (failure == 0 && sigaltstack(&stack, NULL) != 0) {
        failure = errno;
        pthread_setspecific(key, NULL);
    }
    if (failure != 0) munmap(memory, GUARD + STACK);
    return failure;
}
