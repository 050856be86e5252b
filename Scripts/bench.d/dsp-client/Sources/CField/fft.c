// SPDX-License-Identifier: MIT
#include "field.h"

#include <fftw3.h>
#include <stdlib.h>

struct field_fft {
    float *signal;
    fftwf_complex *spectrum;
    fftwf_plan forward, inverse;
};

field_fft *field_fft_create(int size) {
    field_fft *fft = malloc(sizeof *fft);
    fft->signal = fftwf_alloc_real(size);
    fft->spectrum = fftwf_alloc_complex(size / 2 + 1);
    fft->forward = fftwf_plan_dft_r2c_1d(size, fft->signal, fft->spectrum, FFTW_MEASURE | FFTW_PRESERVE_INPUT);
    fft->inverse = fftwf_plan_dft_c2r_1d(size, fft->spectrum, fft->signal, FFTW_MEASURE);
    return fft;
}

float *field_fft_signal(field_fft *fft) { return fft->signal; }
void field_fft_forward(field_fft *fft) { fftwf_execute(fft->forward); }
void field_fft_inverse(field_fft *fft) { fftwf_execute(fft->inverse); }

void field_fft_destroy(field_fft *fft) {
    fftwf_destroy_plan(fft->forward);
    fftwf_destroy_plan(fft->inverse);
    fftwf_free(fft->signal);
    fftwf_free(fft->spectrum);
    free(fft);
}
