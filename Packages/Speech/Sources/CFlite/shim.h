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
    F(cflite, feat_set_float) F(cflite, get_param_float) \
    F(cflite, val_car) F(cflite, val_cdr) F(cflite, val_string)
CFLITE_FUNCTIONS(CLAZY_RENAME)

typedef cst_voice *(*parley_flite_register)(const char *voice_directory);

static inline cst_voice *parley_flite_voice(void *register_function) {
    return ((parley_flite_register)register_function)(NULL);
}

typedef cst_lexicon *(*parley_flite_lexicon_init)(void);

// The CMU lexicon with its letter-to-sound rules; made once, by its library.
static inline cst_lexicon *parley_flite_lexicon(void *init_function) {
    return ((parley_flite_lexicon_init)init_function)();
}

#endif
