// SPDX-License-Identifier: MIT
#ifndef CSQLITE_SIMD_H
#define CSQLITE_SIMD_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Not SQLite's: for the vector search. Swift cannot compile one function for a processor other than the target's, and the
// target is any x86-64; nor has it a prefetch.
#if defined(__x86_64__)

// The dot products of `count` rows, a multiple of 4, with a query. `width` is a multiple of 16.
// The hardware's own prefetcher stops at each page; without the hint, a scan is a third slower.
#define CSQLITE_DOT_PRODUCTS(NAME, TARGET, LANES)                                                                 \
    __attribute__((target(TARGET))) static inline void NAME(                                                    \
        const float *rows, size_t width, size_t count, const float *query, float *products) {                   \
        typedef float lanes __attribute__((vector_size(LANES * 4), aligned(4)));                                \
        const size_t ahead = 8 * width;                                                                         \
        for (size_t row = 0; row < count; row += 4) {                                                           \
            const float *r[4];                                                                                  \
            lanes sum[4] = {{0}, {0}, {0}, {0}};                                                                \
            for (int i = 0; i < 4; i++) r[i] = rows + (row + i) * width;                                        \
            for (size_t column = 0; column < width; column += LANES) {                                          \
                const lanes q = *(const lanes *)(query + column);                                               \
                for (int i = 0; i < 4; i++) {                                                                   \
                    __builtin_prefetch(r[i] + column + ahead);                                                  \
                    sum[i] = __builtin_elementwise_fma(*(const lanes *)(r[i] + column), q, sum[i]);             \
                }                                                                                               \
            }                                                                                                   \
            for (int i = 0; i < 4; i++) {                                                                       \
                float total = 0;                                                                                \
                for (int lane = 0; lane < LANES; lane++) total += sum[i][lane];                                 \
                products[row + i] = total;                                                                      \
            }                                                                                                   \
        }                                                                                                       \
    }

// The same for rows of one byte a component.
#define CSQLITE_CODE_PRODUCTS(NAME, TARGET, LANES)                                                              \
    __attribute__((target(TARGET))) static inline void NAME(                                                    \
        const signed char *rows, size_t width, size_t count, const float *query, float *products) {             \
        typedef float lanes __attribute__((vector_size(LANES * 4), aligned(4)));                                \
        typedef signed char codes __attribute__((vector_size(LANES), aligned(1)));                              \
        const size_t ahead = 8 * width;                                                                         \
        for (size_t row = 0; row < count; row += 4) {                                                           \
            const signed char *r[4];                                                                            \
            lanes sum[4] = {{0}, {0}, {0}, {0}};                                                                \
            for (int i = 0; i < 4; i++) r[i] = rows + (row + i) * width;                                        \
            for (size_t column = 0; column < width; column += LANES) {                                          \
                const lanes q = *(const lanes *)(query + column);                                               \
                for (int i = 0; i < 4; i++) {                                                                   \
                    if (column % 64 == 0) __builtin_prefetch(r[i] + column + ahead);                            \
                    const lanes c = __builtin_convertvector(*(const codes *)(r[i] + column), lanes);            \
                    sum[i] = __builtin_elementwise_fma(c, q, sum[i]);                                           \
                }                                                                                               \
            }                                                                                                   \
            for (int i = 0; i < 4; i++) {                                                                       \
                float total = 0;                                                                                \
                for (int lane = 0; lane < LANES; lane++) total += sum[i][lane];                                 \
                products[row + i] = total;                                                                      \
            }                                                                                                   \
        }                                                                                                       \
    }

CSQLITE_CODE_PRODUCTS(csqlite_code_products_avx2, "avx2,fma", 8)
CSQLITE_CODE_PRODUCTS(csqlite_code_products_avx512, "avx512f", 16)

CSQLITE_DOT_PRODUCTS(csqlite_dot_products_avx2, "avx2,fma", 8)
CSQLITE_DOT_PRODUCTS(csqlite_dot_products_avx512, "avx512f", 16)

static inline int csqlite_has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
static inline int csqlite_has_avx512(void) { return __builtin_cpu_supports("avx512f"); }

#endif

// memfd_create needs _GNU_SOURCE, and MAP_FAILED is a cast.
static inline int csqlite_memory_file(void) { return (int)syscall(SYS_memfd_create, "vectors", 1u /* MFD_CLOEXEC */); }
static inline void *csqlite_map_failed(void) { return MAP_FAILED; }

#endif
