// SPDX-License-Identifier: MIT
#include "internal.h"

// Functions of Swift and of our C code keep frame pointers: a chain of pairs, the caller's frame pointer and the return
// address. Those of the C library do not. Where the chain does not begin at the crash, return addresses are looked for in
// the words above the stack pointer, and marked as found.

enum { MOST_FRAMES = 128, MOST_FOUND = 16, MOST_WORDS = 1024 };

static void write_frame(const char *kind, uintptr_t address) {
    write_text("frame ");
    write_text(kind);
    write_text(" ");
    write_hex(address);
    write_text("\n");
}

/// Reads a pair. A frame pointer of an asynchronous Swift function has bit 60 set.
static bool read_pair(const struct probe *probe, uintptr_t frame, uintptr_t pair[2]) {
    if (frame % 8 != 0 || !probe_read(probe, frame, pair, 2 * sizeof *pair) || !is_code(pair[1])) return false;
    pair[0] &= ~((uintptr_t)1 << 60);
    return true;
}

/// True if a call ends right before `address`: text and data that happen to point into code do not pass.
static bool follows_call(const struct probe *probe, uintptr_t address) {
    if (!is_code(address)) return false;
#if defined(__x86_64__)
    uint8_t before[7];
    if (!probe_read(probe, address - sizeof before, before, sizeof before)) return false;
    if (before[2] == 0xE8) return true;
    // FF /2: a call through a register or memory takes two to seven bytes.
    for (int at = 0; at <= 5; at++)
        if (before[at] == 0xFF && (before[at + 1] & 0x38) == 0x10) return true;
    return false;
#else
    uint32_t before;
    if (!probe_read(probe, address - sizeof before, &before, sizeof before)) return false;
    // BL, or BLR and its forms with pointer authentication.
    return before >> 26 == 0x25 || (before & 0xFEFFF000) == 0xD63F0000;
#endif
}

void write_frames(const struct probe *probe, const ucontext_t *context) {
    uintptr_t counter = program_counter(context), stack = stack_pointer(context);
    uintptr_t frame = frame_pointer(context) & ~((uintptr_t)1 << 60);
    uintptr_t pair[2];
    bool has_chain = frame >= stack && read_pair(probe, frame, pair);
    write_frame("counter", counter);
    if (!has_chain || !is_program_code(counter)) {
        int found = 0;
        for (uintptr_t at = stack & ~(uintptr_t)7; at < stack + MOST_WORDS * 8 && found < MOST_FOUND; at += 8) {
            uintptr_t word;
            if ((has_chain && at >= frame) || !probe_read(probe, at, &word, sizeof word)) break;
            uintptr_t pushed = word & ~((uintptr_t)1 << 60);
            if (follows_call(probe, word)) {
                write_frame("found", word);
                found++;
            } else if (!has_chain && pushed > at && pushed < stack + (1 << 20) && read_pair(probe, pushed, pair)) {
                // A frame pointer that a function without a chain pushed: the chain goes on there.
                has_chain = true;
                frame = pushed;
            }
        }
    }
    for (int count = 0; has_chain && count < MOST_FRAMES; count++) {
        write_frame("chain", pair[1]);
        uintptr_t next = pair[0];
        // Callers are higher on the stack: a broken chain that turns back ends here.
        has_chain = next > frame && read_pair(probe, next, pair);
        frame = next;
    }
}
