// SPDX-License-Identifier: MIT
//
// flite has no .pc file, and its headers do not declare the voices. A voice is a library of several megabytes whose
// symbol is looked up at run time, so that a program that never speaks does not load it.

#ifndef PARLEY_CFLITE_SHIM_H
#define PARLEY_CFLITE_SHIM_H

#include <flite/flite.h>
#include <lazy_library.h>

#define CFLITE_FUNCTIONS(F) \
    F(cflite, delete_val) F(cflite, delete_wave) F(cflite, flite_init) F(cflite, flite_text_to_wave) F(cflite, lex_lookup) \
    F(cflite, feat_set) F(cflite, feat_set_float) F(cflite, get_param_float) \
    F(cflite, feat_present) F(cflite, feat_val) F(cflite, new_audio_streaming_info) F(cflite, audio_streaming_info_val) \
    F(cflite, val_audio_streaming_info) \
    F(cflite, val_car) F(cflite, val_cdr) F(cflite, val_string)
CFLITE_FUNCTIONS(CLAZY_RENAME)

typedef cst_voice *(*parley_flite_register)(const char *voice_directory);

static inline cst_voice *parley_flite_voice(void *register_function) {
    return ((parley_flite_register)register_function)(NULL);
}

// Lets the voice, of which the process has one, hand on pieces of at least so many samples while it makes a sentence. What is
// returned belongs to the voice; its userdata may be changed between two sentences.
static inline cst_audio_streaming_info *parley_flite_stream(cst_voice *voice, int samples, cst_audio_stream_callback callback) {
    if (feat_present(voice->features, "streaming_info"))
        return val_audio_streaming_info(feat_val(voice->features, "streaming_info"));
    cst_audio_streaming_info *stream = new_audio_streaming_info();
    stream->min_buffsize = samples;
    stream->asc = callback;
    feat_set(voice->features, "streaming_info", audio_streaming_info_val(stream));
    return stream;
}

typedef cst_lexicon *(*parley_flite_lexicon_init)(void);

// The CMU lexicon with its letter-to-sound rules; made once, by its library.
static inline cst_lexicon *parley_flite_lexicon(void *init_function) {
    return ((parley_flite_lexicon_init)init_function)();
}

#endif
