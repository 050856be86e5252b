// SPDX-License-Identifier: MIT
//
// The part of PocketSphinx (5prealpha, Debian's and Ubuntu's libpocketsphinx-dev) that is called, declared by hand:
// its headers include each other by names that need two extra search paths, and its pkg-config file, which has those
// paths, drags in libsphinxad. `HeaderAgreementTests` compiles these declarations together with the library's own.

#ifndef PARLEY_CPOCKETSPHINX_SHIM_H
#define PARLEY_CPOCKETSPHINX_SHIM_H

#include <lazy_library.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ps_decoder_s ps_decoder_t;
typedef struct ps_seg_s ps_seg_t;
typedef struct ps_astar_s ps_nbest_t;
typedef struct cmd_ln_s cmd_ln_t;
typedef struct fe_s fe_t;
typedef struct logmath_s logmath_t;
typedef struct ngram_model_s ngram_model_t;
struct arg_s;

struct arg_s const *ps_args(void);
cmd_ln_t *cmd_ln_parse_r(
    cmd_ln_t *earlier, struct arg_s const *definitions, int32_t argc, char *argv[], int32_t strict);
int cmd_ln_free_r(cmd_ln_t *configuration);
void err_set_logfp(FILE *stream);

ps_decoder_t *ps_init(cmd_ln_t *configuration);
int ps_free(ps_decoder_t *decoder);
int ps_set_lm_file(ps_decoder_t *decoder, const char *name, const char *path);
int ps_set_kws(ps_decoder_t *decoder, const char *name, const char *path);
char *ps_lookup_word(ps_decoder_t *decoder, const char *word);
int ps_set_search(ps_decoder_t *decoder, const char *name);
int ps_start_stream(ps_decoder_t *decoder);
int ps_start_utt(ps_decoder_t *decoder);
int ps_process_cep(ps_decoder_t *decoder, float **cepstra, int count, int without_search, int whole);
int ps_end_utt(ps_decoder_t *decoder);
char const *ps_get_hyp(ps_decoder_t *decoder, int32_t *score);
ps_seg_t *ps_seg_iter(ps_decoder_t *decoder);
ps_seg_t *ps_seg_next(ps_seg_t *segment);
char const *ps_seg_word(ps_seg_t *segment);
void ps_seg_frames(ps_seg_t *segment, int *first, int *last);
int32_t ps_seg_prob(ps_seg_t *segment, int32_t *acoustic, int32_t *language, int32_t *backoff);
void ps_seg_free(ps_seg_t *segment);
ps_nbest_t *ps_nbest(ps_decoder_t *decoder);
ps_nbest_t *ps_nbest_next(ps_nbest_t *paths);
char const *ps_nbest_hyp(ps_nbest_t *paths, int32_t *score);
ps_seg_t *ps_nbest_seg(ps_nbest_t *paths);
void ps_nbest_free(ps_nbest_t *paths);

int ps_load_dict(ps_decoder_t *decoder, char const *path, char const *fillers, char const *format);

logmath_t *logmath_init(double base, int shift, int with_table);
int logmath_free(logmath_t *logarithms);
ngram_model_t *ngram_model_read(cmd_ln_t *configuration, const char *path, int type, logmath_t *logarithms);
int ngram_model_free(ngram_model_t *model);
uint32_t const *ngram_model_get_counts(ngram_model_t *model);
const char *ngram_word(ngram_model_t *model, int32_t word);
int32_t ngram_ng_score(ngram_model_t *model, int32_t word, int32_t *history, int32_t count, int32_t *used);

cmd_ln_t *ps_get_config(ps_decoder_t *decoder);
fe_t *fe_init_auto_r(cmd_ln_t *configuration);
int fe_free(fe_t *front_end);
void fe_start_stream(fe_t *front_end);
int fe_start_utt(fe_t *front_end);
int fe_get_output_size(fe_t *front_end);
int fe_process_frames(
    fe_t *front_end, int16_t const **samples, size_t *count, float **cepstra, int32_t *frames, int32_t *index);

// libpocketsphinx brings libsphinxbase, which has those that do not begin with ps_.
#define CPOCKETSPHINX_FUNCTIONS(F) \
    F(cpocketsphinx, ps_args) F(cpocketsphinx, ps_end_utt) F(cpocketsphinx, ps_free) F(cpocketsphinx, ps_get_config) \
    F(cpocketsphinx, ps_get_hyp) F(cpocketsphinx, ps_init) F(cpocketsphinx, ps_load_dict) F(cpocketsphinx, ps_lookup_word) \
    F(cpocketsphinx, ps_nbest) F(cpocketsphinx, ps_nbest_free) F(cpocketsphinx, ps_nbest_hyp) F(cpocketsphinx, ps_nbest_next) \
    F(cpocketsphinx, ps_nbest_seg) \
    F(cpocketsphinx, ps_process_cep) F(cpocketsphinx, ps_seg_frames) F(cpocketsphinx, ps_seg_iter) \
    F(cpocketsphinx, ps_seg_next) F(cpocketsphinx, ps_seg_prob) F(cpocketsphinx, ps_seg_word) F(cpocketsphinx, ps_set_kws) \
    F(cpocketsphinx, ps_set_lm_file) F(cpocketsphinx, ps_set_search) F(cpocketsphinx, ps_start_stream) \
    F(cpocketsphinx, ps_start_utt) F(cpocketsphinx, cmd_ln_free_r) F(cpocketsphinx, cmd_ln_parse_r) \
    F(cpocketsphinx, err_set_logfp) F(cpocketsphinx, fe_free) F(cpocketsphinx, fe_get_output_size) \
    F(cpocketsphinx, fe_init_auto_r) F(cpocketsphinx, fe_process_frames) F(cpocketsphinx, fe_start_stream) \
    F(cpocketsphinx, fe_start_utt) F(cpocketsphinx, logmath_free) F(cpocketsphinx, logmath_init) \
    F(cpocketsphinx, ngram_model_free) F(cpocketsphinx, ngram_model_get_counts) F(cpocketsphinx, ngram_model_read) \
    F(cpocketsphinx, ngram_ng_score) F(cpocketsphinx, ngram_word)
CPOCKETSPHINX_FUNCTIONS(CLAZY_RENAME)

// glibc has these behind _GNU_SOURCE, which Swift's importer does not define.
int memfd_create(const char *name, unsigned int flags);
int pipe2(int ends[2], int flags);

#endif
