// SPDX-License-Identifier: MIT
#ifndef PARLEY_CSPEECHCALLS_H
#define PARLEY_CSPEECHCALLS_H

// NULL, or a sentence that says why the library cannot be used and which package has it.
const char *cpocketsphinx_load(void);
const char *cflite_load(void);

#endif
