// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

// AES-256-GCM as a C program calls libcrypto: the context and the expanded key are kept, the nonce is a counter, the output
// goes into one buffer. Seals a message `rounds` times into `output` (12 + count + 16 bytes); returns 1 for success.
int baseline_seal(const unsigned char key[32], const unsigned char *message, size_t count,
                  const unsigned char *context, size_t context_count, unsigned char *output, int rounds);

// The same with memory of its own for each sealed message, given back at once.
int baseline_seal_fresh(const unsigned char key[32], const unsigned char *message, size_t count,
                        const unsigned char *context, size_t context_count, int rounds);

// The same as baseline_seal for opening what was sealed.
int baseline_open(const unsigned char key[32], const unsigned char *sealed, size_t sealed_count,
                  const unsigned char *context, size_t context_count, unsigned char *output, int rounds);
