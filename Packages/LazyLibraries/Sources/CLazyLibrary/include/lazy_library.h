// SPDX-License-Identifier: MIT
//
// Loads a shared library when one of its functions is called for the first time. A program that links a library by name loads it
// and all that it needs before main, whether or not it is used.
//
// The header that Swift imports renames the functions, so that calls reach a trampoline:
//
//     #include <zlib.h>
//     #define CZLIB_FUNCTIONS(F) F(czlib, compress) F(czlib, crc32_z)
//     CZLIB_FUNCTIONS(CLAZY_RENAME)
//     const char *czlib_load(void);
//
// and one C file has the trampolines, and czlib_load(), which returns the reason when the library cannot be loaded, else NULL:
//
//     CLAZY_LIBRARY(czlib, "libz.so.1", "zlib1g", CZLIB_FUNCTIONS)
#ifndef PARLEY_CLAZYLIBRARY_H
#define PARLEY_CLAZYLIBRARY_H

// Nothing is included: what Swift imports through this header would no longer count as Glibc's.
typedef struct {
    const char *name;
    void **slot;
} clazy_function;

typedef struct {
    const char *file;
    const char *package;
    const clazy_function *functions;
    unsigned long count;
    void *handle;
    char reason[320];
} clazy_library;

// NULL, or the reason for which the library, or a function of it, cannot be had, as a sentence that names the package to install.
const char *clazy_load(clazy_library *library);
// For a call that is already being made, which has no other way to fail: ends the process with the reason.
void clazy_load_or_abort(clazy_library *library);

#define CLAZY_PRAGMA(text) _Pragma(#text)
// Calls of the function become calls of its trampoline, under a name that cannot meet the library's own.
#define CLAZY_RENAME(prefix, function) CLAZY_PRAGMA(redefine_extname function prefix##_##function)

// A trampoline jumps to its slot's content: at first to code that notes the slot and loads the library while it keeps the
// arguments of the call; afterwards to the function.
#if defined(__x86_64__)
#define CLAZY_ASM_TRAMPOLINE(prefix, function) \
    #prefix "_" #function ":\n jmpq *" #prefix "_slot_" #function "(%rip)\n" \
    #prefix "_first_" #function ":\n leaq " #prefix "_slot_" #function "(%rip), %r11\n jmp " #prefix "_first_call\n"
#define CLAZY_ASM_FIRST_CALL(prefix) \
    #prefix "_first_call:\n pushq %rbp\n movq %rsp, %rbp\n pushq %r11\n pushq %rax\n pushq %rdi\n pushq %rsi\n" \
    " pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n subq $128, %rsp\n" \
    " movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n" \
    " movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n" \
    " callq " #prefix "_load_or_abort\n" \
    " movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n" \
    " movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n" \
    " addq $128, %rsp\n popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n popq %rax\n" \
    " popq %r11\n popq %rbp\n jmpq *(%r11)\n"
#elif defined(__aarch64__)
#define CLAZY_ASM_TRAMPOLINE(prefix, function) \
    #prefix "_" #function ":\n adrp x16, " #prefix "_slot_" #function "\n" \
    " ldr x17, [x16, :lo12:" #prefix "_slot_" #function "]\n br x17\n" \
    #prefix "_first_" #function ":\n adrp x16, " #prefix "_slot_" #function "\n" \
    " add x16, x16, :lo12:" #prefix "_slot_" #function "\n b " #prefix "_first_call\n"
#define CLAZY_ASM_FIRST_CALL(prefix) \
    #prefix "_first_call:\n stp x29, x30, [sp, #-224]!\n mov x29, sp\n stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n" \
    " stp x4, x5, [sp, #48]\n stp x6, x7, [sp, #64]\n stp x8, x16, [sp, #80]\n stp q0, q1, [sp, #96]\n" \
    " stp q2, q3, [sp, #128]\n stp q4, q5, [sp, #160]\n stp q6, q7, [sp, #192]\n bl " #prefix "_load_or_abort\n" \
    " ldp x0, x1, [sp, #16]\n ldp x2, x3, [sp, #32]\n ldp x4, x5, [sp, #48]\n ldp x6, x7, [sp, #64]\n" \
    " ldp x8, x16, [sp, #80]\n ldp q0, q1, [sp, #96]\n ldp q2, q3, [sp, #128]\n ldp q4, q5, [sp, #160]\n" \
    " ldp q6, q7, [sp, #192]\n ldp x29, x30, [sp], #224\n ldr x17, [x16]\n br x17\n"
#else
#error "Trampolines are written for x86-64 and AArch64 only."
#endif

#define CLAZY_TRAMPOLINE(prefix, function) \
    extern char prefix##_first_##function[] __attribute__((visibility("hidden"))); \
    static void *prefix##_slot_##function __attribute__((used)) = prefix##_first_##function; \
    __asm__( \
        ".text\n.globl " #prefix "_" #function "\n.hidden " #prefix "_" #function "\n.type " #prefix "_" #function \
        ", %function\n" \
        CLAZY_ASM_TRAMPOLINE(prefix, function));
#define CLAZY_ENTRY(prefix, function) {#function, &prefix##_slot_##function},

#define CLAZY_LIBRARY(prefix, file, package, FUNCTIONS) \
    FUNCTIONS(CLAZY_TRAMPOLINE) \
    static const clazy_function prefix##_functions[] = {FUNCTIONS(CLAZY_ENTRY)}; \
    static clazy_library prefix##_library = { \
        file, package, prefix##_functions, sizeof prefix##_functions / sizeof *prefix##_functions, \
        0, ""}; \
    const char *prefix##_load(void) { return clazy_load(&prefix##_library); } \
    __attribute__((used)) static void prefix##_load_or_abort(void) { clazy_load_or_abort(&prefix##_library); } \
    __asm__(".text\n" CLAZY_ASM_FIRST_CALL(prefix));

#endif
