// SPDX-License-Identifier: MIT
// What C programs use for the same work.
#pragma once
#include <stdint.h>

// fftwf, planned by measuring; `signal` and `spectrum` (size / 2 + 1 pairs) are the plan's own memories.
typedef struct field_fft field_fft;
field_fft *field_fft_create(int size);
float *field_fft_signal(field_fft *fft);
void field_fft_forward(field_fft *fft);
void field_fft_inverse(field_fft *fft);
void field_fft_destroy(field_fft *fft);

// libsndfile's conversions between floats and 16-bit or packed 24-bit samples, on a raw file in memory; `channels` is 1.
typedef struct field_file field_file;
field_file *field_file_create(int bits, int frames);
void field_file_write(field_file *file, const float *samples, int frames);
void field_file_read(field_file *file, float *samples, int frames);
void field_file_destroy(field_file *file);

