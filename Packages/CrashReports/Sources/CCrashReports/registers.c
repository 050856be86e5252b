// SPDX-License-Identifier: MIT
#include "internal.h"

/// Writes a register's value if it is a small number or an address that is mapped. Short texts are kept in registers,
/// and what a person said or typed is not for a report.
static void write_register(const struct probe *probe, const char *name, uint64_t value) {
    char byte;
    write_text("register ");
    write_text(name);
    write_text(" ");
    if (value + 0x1000 < 0x2000 || probe_read(probe, (uintptr_t)value, &byte, 1)) write_hex(value);
    else write_text("-");
    write_text("\n");
}

#if defined(__x86_64__)

uintptr_t program_counter(const ucontext_t *context) { return (uintptr_t)context->uc_mcontext.gregs[REG_RIP]; }
uintptr_t stack_pointer(const ucontext_t *context) { return (uintptr_t)context->uc_mcontext.gregs[REG_RSP]; }
uintptr_t frame_pointer(const ucontext_t *context) { return (uintptr_t)context->uc_mcontext.gregs[REG_RBP]; }

void write_registers(const struct probe *probe, const ucontext_t *context) {
    static const struct {
        const char *name;
        int index;
    } registers[] = {
        {"rip", REG_RIP}, {"rsp", REG_RSP}, {"rbp", REG_RBP}, {"rax", REG_RAX}, {"rbx", REG_RBX}, {"rcx", REG_RCX},
        {"rdx", REG_RDX}, {"rsi", REG_RSI}, {"rdi", REG_RDI}, {"r8", REG_R8},   {"r9", REG_R9},   {"r10", REG_R10},
        {"r11", REG_R11}, {"r12", REG_R12}, {"r13", REG_R13}, {"r14", REG_R14}, {"r15", REG_R15},
    };
    write_text("architecture x86_64\n");
    for (size_t index = 0; index < sizeof registers / sizeof *registers; index++)
        write_register(
            probe, registers[index].name, (uint64_t)context->uc_mcontext.gregs[registers[index].index]);
}

#elif defined(__aarch64__)

uintptr_t program_counter(const ucontext_t *context) { return context->uc_mcontext.pc; }
uintptr_t stack_pointer(const ucontext_t *context) { return context->uc_mcontext.sp; }
uintptr_t frame_pointer(const ucontext_t *context) { return context->uc_mcontext.regs[29]; }

void write_registers(const struct probe *probe, const ucontext_t *context) {
    write_text("architecture aarch64\n");
    write_register(probe, "pc", context->uc_mcontext.pc);
    write_register(probe, "sp", context->uc_mcontext.sp);
    for (int index = 0; index < 31; index++) {
        char name[4] = {'x', (char)('0' + index / 10), (char)('0' + index % 10), 0};
        if (index < 10) {
            name[1] = name[2];
            name[2] = 0;
        }
        write_register(probe, name, context->uc_mcontext.regs[index]);
    }
}

#else
#error "Crash reports know the registers of x86_64 and aarch64."
#endif
