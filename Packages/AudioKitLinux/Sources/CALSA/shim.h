// SPDX-License-Identifier: MIT
#ifndef PARLEY_CALSA_SHIM_H
#define PARLEY_CALSA_SHIM_H

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>

// libasound prints its complaints to stderr. Its per-thread handler takes a va_list, which Swift cannot receive,
// so the text is gathered here. Every use is in ALSAMessages.swift: the variable exists once for each object file.
#define PARLEY_ALSA_TEXT_SIZE 512
static inline char *parley_alsa_text(void) {
    static __thread char text[PARLEY_ALSA_TEXT_SIZE];
    return text;
}

static void parley_alsa_gather(
    const char *file, int line, const char *function, int error, const char *format, va_list arguments) {
    (void)file; (void)line; (void)function; (void)error;
    // The first message names the cause; the ones after it are the callers' echoes.
    if (parley_alsa_text()[0] == 0) {
        vsnprintf(parley_alsa_text(), PARLEY_ALSA_TEXT_SIZE, format, arguments);
    }
}

/// Sends this thread's libasound messages into a buffer instead of stderr; returns the handler to put back.
static inline snd_local_error_handler_t parley_alsa_gather_begin(void) {
    parley_alsa_text()[0] = 0;
    return snd_lib_error_set_local(parley_alsa_gather);
}

/// Puts the earlier handler back.
static inline void parley_alsa_gather_end(snd_local_error_handler_t earlier) {
    snd_lib_error_set_local(earlier);
}

/// The first message gathered on this thread, or an empty string.
static inline const char *parley_alsa_gathered(void) { return parley_alsa_text(); }

/// Names the calling thread (at most 15 bytes); prctl is variadic.
static inline void parley_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
