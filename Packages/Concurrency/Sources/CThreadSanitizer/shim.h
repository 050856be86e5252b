// SPDX-License-Identifier: MIT
#ifndef PARLEY_CTHREADSANITIZER_SHIM_H
#define PARLEY_CTHREADSANITIZER_SHIM_H

// The thread sanitizer does not see into the futex lock of Swift's Synchronization library. These tell it what happens,
// and are absent, so null, in every other build.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));
static inline void cthreadsanitizer_acquire(void *address) {
    if (__tsan_acquire) __tsan_acquire(address);
}
static inline void cthreadsanitizer_release(void *address) {
    if (__tsan_release) __tsan_release(address);
}

#endif
