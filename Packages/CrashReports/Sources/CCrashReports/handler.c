// SPDX-License-Identifier: MIT
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction previous[SIGNALS];
static char path[PATH_MAX], version[128], program[128];
static size_t folder_length;
static _Atomic pid_t owner;
static atomic_bool is_reported;

static pid_t this_thread(void) { return (pid_t)syscall(SYS_gettid); }

int open_anyway(const char *file, int flags) {
    int descriptor = open(file, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor >= 0 || errno != EMFILE) return descriptor;
    // The program used up its descriptors, perhaps because of what it crashes of.
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    return open(file, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static void append_decimal(size_t *length, uint64_t number) {
    char digits[20];
    size_t count = 0;
    for (; number != 0 || count == 0; number /= 10) digits[count++] = (char)('0' + number % 10);
    while (count > 0) path[(*length)++] = digits[--count];
}

/// `crash-SECONDS-PID.new` in the folder. The room for it was checked at the start.
static void complete_path(uint64_t seconds) {
    size_t length = folder_length;
    memcpy(path + length, "crash-", 6);
    length += 6;
    append_decimal(&length, seconds);
    path[length++] = '-';
    append_decimal(&length, (uint64_t)getpid());
    memcpy(path + length, ".new", 5);
}

/// Creates the report's file, and its folders if they are missing: a program that ends well leaves none of them.
static int create_file(void) {
    int descriptor = open_anyway(path, O_WRONLY | O_CREAT | O_EXCL);
    if (descriptor >= 0 || errno != ENOENT) return descriptor;
    for (char *slash = path + 1; *slash != 0; slash++)
        if (*slash == '/') {
            *slash = 0;
            mkdir(path, 0700);
            *slash = '/';
        }
    return open_anyway(path, O_WRONLY | O_CREAT | O_EXCL);
}

static void write_field(const char *name, uint64_t number) {
    write_text(name);
    write_decimal(number);
    write_text("\n");
}

static uint64_t write_report(int descriptor, uint64_t seconds, int number, const siginfo_t *info, const ucontext_t *context) {
    struct probe probe;
    char thread[16] = {0};
    prctl(PR_GET_NAME, thread, 0, 0, 0);
    writer_begin(descriptor);
    write_text("crash-report 1\nversion ");
    write_value(version, sizeof version);
    write_text("\nprogram ");
    write_value(program, sizeof program);
    write_field("\ntime ", seconds);
    write_field("process ", (uint64_t)getpid());
    write_field("thread ", (uint64_t)this_thread());
    write_text("thread-name ");
    write_value(thread, sizeof thread);
    write_field("\nsignal ", (uint64_t)number);
    // Codes below zero are the ones of signals that were sent.
    write_text("code ");
    if (info->si_code < 0) write_text("-");
    write_decimal(info->si_code < 0 ? (uint64_t)-(int64_t)info->si_code : (uint64_t)info->si_code);
    if (info->si_code > 0 && number != SIGABRT && number != SIGSYS) {
        write_text("\naddress ");
        write_hex((uint64_t)(uintptr_t)info->si_addr);
    }
    write_text("\n");
    if (probe_open(&probe)) {
        modules_read();
        write_registers(&probe, context);
        write_frames(&probe, context);
        write_modules(&probe);
        probe_close(&probe);
    }
    writer_flush();
    write_log();
    write_text("end\n");
    return writer_flush();
}

static void change_mask(int how, int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(how, &set, NULL);
}

/// Ends the program by the default action. The signal is sent with what it said, so that a core dump shows the crash as it
/// was; it is blocked until the handler returns.
static void send_again(int number, siginfo_t *info) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
    change_mask(SIG_BLOCK, number);
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), this_thread(), number, info) != 0)
        syscall(SYS_tgkill, getpid(), this_thread(), number);
}

static void end_at_once(int number, siginfo_t *info) {
    send_again(number, info);
    change_mask(SIG_UNBLOCK, number);
    _exit(128 + number);
}

static void report(int number, siginfo_t *info, void *context) {
    log_freeze();
    struct timespec now = {0};
    struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
    clock_gettime(CLOCK_REALTIME, &now);
    complete_path((uint64_t)now.tv_sec);
    int descriptor = create_file();
    if (descriptor < 0) return;
    // A limit on the size of files ends the report, not the program in another way.
    sigaction(SIGXFSZ, &ignored, &before);
    if (write_report(descriptor, (uint64_t)now.tv_sec, number, info, context) == 0) unlink(path);
    close(descriptor);
    sigaction(SIGXFSZ, &before, NULL);
}

/// Calls the handler from before ours, if there is one, with the mask that the kernel would give it. It is called, not sent
/// to: Swift's backtracer returns and expects the fault again, which a signal that was sent is not.
static void call(const struct sigaction *action, int number, siginfo_t *info, void *context) {
    sigprocmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
    sigprocmask(SIG_BLOCK, &action->sa_mask, NULL);
    if ((action->sa_flags & SA_NODEFER) == 0) change_mask(SIG_BLOCK, number);
    if ((action->sa_flags & SA_SIGINFO) != 0) action->sa_sigaction(number, info, context);
    else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) action->sa_handler(number);
}

static void handle(int number, siginfo_t *info, void *context) {
    pid_t other = 0;
    if (!atomic_compare_exchange_strong(&owner, &other, this_thread())) {
        // The handler itself crashed; it has no second chance.
        if (other == this_thread()) end_at_once(number, info);
        // Another thread writes its report, and ends the program after it. Not for ever, if the disk does not answer.
        struct timespec left = {.tv_sec = 10};
        while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
        if (!atomic_load(&is_reported)) end_at_once(number, info);
        for (;;) pause();
    }
    report(number, info, context);
    atomic_store(&is_reported, true);
    struct sigaction earlier = previous[0];
    for (int index = 0; index < SIGNALS; index++) {
        if (signals[index] == number) earlier = previous[index];
        sigaction(signals[index], &previous[index], NULL);
    }
    call(&earlier, number, info, context);
    send_again(number, info);
}

/// Writes a report to nowhere. Each function that the handler calls is then bound, each page that it needs is there, and
/// what this system forbids fails now.
static int rehearse(void) {
    ucontext_t context;
    siginfo_t info = {.si_signo = SIGTRAP};
    struct timespec now = {0};
    int descriptor = open_anyway("/dev/null", O_WRONLY);
    if (descriptor < 0) return errno;
    if (getcontext(&context) != 0) return errno;
    nanosleep(&now, &now);
    clock_gettime(CLOCK_REALTIME, &now);
    complete_path((uint64_t)now.tv_sec);
    write_report(descriptor, 0, SIGTRAP, &info, &context);
    unlink("");
    mkdir("", 0700);
    close(descriptor);
    return 0;
}

int crash_install(const char *folder, const char *name_of_version, const char *name) {
    static atomic_flag is_installed = ATOMIC_FLAG_INIT;
    // The folder, "crash-", two numbers, "-.new" and NUL.
    if (strlen(folder) + 64 > sizeof path) return ENAMETOOLONG;
    if (atomic_flag_test_and_set(&is_installed)) return EALREADY;
    folder_length = strlen(folder);
    memcpy(path, folder, folder_length);
    strncpy(version, name_of_version, sizeof version - 1);
    strncpy(program, name, sizeof program - 1);
    int failure = crash_protect_thread();
    if (failure == 0) failure = rehearse();
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < SIGNALS; index++) sigaddset(&action.sa_mask, signals[index]);
    for (int index = 0; index < SIGNALS && failure == 0; index++)
        if (sigaction(signals[index], NULL, &previous[index]) != 0) failure = errno;
    // A signal that the program's parent let it ignore stays ignored.
    for (int index = 0; index < SIGNALS && failure == 0; index++)
        if (previous[index].sa_handler != SIG_IGN && sigaction(signals[index], &action, NULL) != 0) failure = errno;
    if (failure != 0) atomic_flag_clear(&is_installed);
    return failure;
}
