// SPDX-License-Identifier: MIT
#include "internal.h"

#include <stdatomic.h>
#include <string.h>

// A ring with a sequence number in each slot. Writers take tickets; the handler, which may have interrupted any of them,
// takes what is whole and leaves the rest.
struct slot {
    /// 0 if the slot is empty, 2t + 1 while line t is written, 2t + 2 once it is whole.
    _Atomic uint64_t sequence;
    _Atomic uint64_t words[CRASH_LOG_BYTES / 8];
};

static union {
    struct slot slots[CRASH_LOG_LINES];
    // No page has anything else.
    char pages[65536];
} ring __attribute__((aligned(65536)));
static _Atomic uint64_t tickets;
static atomic_bool is_frozen;

_Static_assert(sizeof(struct slot) * CRASH_LOG_LINES <= sizeof ring.pages, "The pages hold the slots.");

void *crash_log_memory(size_t *size) {
    *size = sizeof ring;
    return &ring;
}

void log_freeze(void) { atomic_store_explicit(&is_frozen, true, memory_order_relaxed); }

void crash_log_append(const char *text, size_t count) {
    uint64_t words[CRASH_LOG_BYTES / 8] = {0};
    if (atomic_load_explicit(&is_frozen, memory_order_relaxed)) return;
    memcpy(words, text, count < sizeof words ? count : sizeof words);
    uint64_t ticket = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
    struct slot *slot = &ring.slots[ticket % CRASH_LOG_LINES];
    uint64_t before = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
    // A writer of an earlier round is still at it, or one of a later round was quicker.
    if (before % 2 == 1 || before > 2 * ticket) return;
    if (!atomic_compare_exchange_strong_explicit(
            &slot->sequence, &before, 2 * ticket + 1, memory_order_acquire, memory_order_relaxed))
        return;
    atomic_thread_fence(memory_order_release);
    for (size_t index = 0; index < CRASH_LOG_BYTES / 8; index++)
        atomic_store_explicit(&slot->words[index], words[index], memory_order_relaxed);
    atomic_store_explicit(&slot->sequence, 2 * ticket + 2, memory_order_release);
}

void write_log(void) {
    uint64_t words[CRASH_LOG_BYTES / 8];
    uint64_t end = atomic_load_explicit(&tickets, memory_order_acquire);
    for (uint64_t ticket = end > CRASH_LOG_LINES ? end - CRASH_LOG_LINES : 0; ticket < end; ticket++) {
        struct slot *slot = &ring.slots[ticket % CRASH_LOG_LINES];
        if (atomic_load_explicit(&slot->sequence, memory_order_acquire) != 2 * ticket + 2) continue;
        for (size_t index = 0; index < CRASH_LOG_BYTES / 8; index++)
            words[index] = atomic_load_explicit(&slot->words[index], memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        if (atomic_load_explicit(&slot->sequence, memory_order_relaxed) != 2 * ticket + 2) continue;
        write_text("log ");
        write_value((const char *)words, sizeof words);
        write_text("\n");
    }
}
