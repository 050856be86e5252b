// SPDX-License-Identifier: MIT
#ifndef PARLEY_CRASH_REPORTS_H
#define PARLEY_CRASH_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The number of log lines that a report has, and the bytes that are kept of each.
#define CRASH_LOG_LINES 100
#define CRASH_LOG_BYTES 512

/// Keeps a line, cut to CRASH_LOG_BYTES, for a report. Any thread; takes no lock, allocates nothing and never waits: a
/// line that would have to wait is dropped.
void crash_log_append(const char *_Nonnull text, size_t count);

/// The memory of the log, in whole pages, for a test that takes it away.
void *_Nonnull crash_log_memory(size_t *_Nonnull size);

/// Handles the signals of a crash from now on. `prefix` is the absolute path of the folder with its last slash. The
/// strings are copied. Returns 0 or an errno: EALREADY at the second call, ENAMETOOLONG, or the system's.
int crash_install(const char *_Nonnull prefix, const char *_Nonnull version, const char *_Nonnull program);

/// Gives the calling thread an alternate stack for signals until it ends, unless it has one of this size. Returns 0 or an errno.
int crash_protect_thread(void);

/// Reads the build id of an ELF file into `id`, which has room for 32 bytes. Returns its length, 0 if there is none.
size_t crash_build_id_of_file(const char *_Nonnull path, uint8_t *_Nonnull id);

/// The Swift runtime's demangler; nil if `name` is no mangled name. The caller frees the result.
char *_Nullable swift_demangle(
    const char *_Nonnull name, size_t count, char *_Nullable buffer, size_t *_Nullable size, uint32_t flags);

#endif
