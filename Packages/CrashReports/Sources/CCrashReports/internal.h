// SPDX-License-Identifier: MIT
//
// The parts of the handler. Everything here runs in a signal handler, in a program whose memory may be broken: system
// calls alone, no lock, no allocation, no function of the C library beyond thin wrappers of system calls and memcpy.
#ifndef PARLEY_CRASH_INTERNAL_H
#define PARLEY_CRASH_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "crash_reports.h"

#include <ucontext.h>

// writer.c: text to a descriptor through one static buffer.

/// Starts a report. Only one thread writes at a time, since one thread at most owns the crash.
void writer_begin(int descriptor);
void write_text(const char *text);
/// Writes at most `count` bytes up to a NUL; control characters become '?', so that a value stays in its line.
void write_value(const char *text, size_t count);
void write_decimal(uint64_t number);
void write_hex(uint64_t number);
void write_byte(uint8_t byte);
/// Writes what is in the buffer. Returns the number of bytes that reached the descriptor since writer_begin.
uint64_t writer_flush(void);

// probe.c: memory that may not be there.

struct probe {
    int read_end, write_end;
};
bool probe_open(struct probe *probe);
void probe_close(struct probe *probe);
/// Copies up to 1024 bytes. Returns false, instead of a fault, if not all of them are readable.
bool probe_read(const struct probe *probe, uintptr_t address, void *into, size_t count);

// image.c: an ELF image, in memory as it is loaded, or as its file.

struct image {
    /// The difference between an address in memory and the one in the file's symbols.
    uintptr_t bias;
    size_t id_size;
    uint8_t id[32];
};
bool image_read(const struct probe *probe, uintptr_t start, bool is_file, struct image *image);

// modules.c: what is mapped, by /proc/self/maps.

/// Reads the ranges of code, for is_code.
void modules_read(void);
bool is_code(uintptr_t address);
/// True for code of the program itself, whose functions all keep frame pointers.
bool is_program_code(uintptr_t address);
void write_modules(const struct probe *probe);

// stack.c, registers.c

void write_frames(const struct probe *probe, const ucontext_t *context);
void write_registers(const struct probe *probe, const ucontext_t *context);
uintptr_t program_counter(const ucontext_t *context);
uintptr_t stack_pointer(const ucontext_t *context);
uintptr_t frame_pointer(const ucontext_t *context);

// log_ring.c

/// Ends the log, so that other threads overwrite no line while it is read.
void log_freeze(void);
void write_log(void);

// handler.c: opens a file although the descriptors may be used up.
int open_anyway(const char *path, int flags);

#endif
