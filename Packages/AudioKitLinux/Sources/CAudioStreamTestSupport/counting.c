// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "counting.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define PARLEY_CANNOT_COUNT
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define PARLEY_CANNOT_COUNT
#endif
#endif

int64_t parley_bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
}

#ifdef PARLEY_CANNOT_COUNT

bool parley_counting_is_possible(void) { return false; }
void parley_counting_begin(void) {}
parley_counts parley_counting_end(void) { return (parley_counts){0, 0, 0}; }
const char *parley_counting_places(void) { return ""; }

#else

// Functions of the program come before the C library's of the same name, also for the libraries that it uses.

static _Thread_local bool is_audio_thread;
static _Thread_local bool is_inside;
static atomic_bool is_counting;
static atomic_long allocations, locks, system_calls;
static uintptr_t alsa_begin, alsa_end;

enum { PLACES = 24 };
static struct {
    const char *kind;
    const void *address;
} places[PLACES];
static atomic_int place_count;

static void note(atomic_long *counter, const char *kind, const void *caller) {
    if (!is_audio_thread || is_inside || !atomic_load(&is_counting)) return;
    uintptr_t address = (uintptr_t)caller;
    if (address >= alsa_begin && address < alsa_end) return;
    atomic_fetch_add(counter, 1);
    int place = atomic_fetch_add(&place_count, 1);
    if (place >= PLACES) return;
    places[place].kind = kind;
    places[place].address = caller;
}

#define COUNT(counter, kind) note(&counter, kind, __builtin_return_address(0))

static int find_alsa(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    if (!strstr(info->dlpi_name, "libasound.so")) return 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        alsa_begin = info->dlpi_addr + part->p_vaddr;
        alsa_end = alsa_begin + part->p_memsz;
    }
    return 1;
}

bool parley_counting_is_possible(void) { return true; }

void parley_counting_begin(void) {
    dl_iterate_phdr(find_alsa, NULL);
    atomic_store(&allocations, 0);
    atomic_store(&locks, 0);
    atomic_store(&system_calls, 0);
    atomic_store(&place_count, 0);
    atomic_store(&is_counting, true);
}

parley_counts parley_counting_end(void) {
    atomic_store(&is_counting, false);
    return (parley_counts){atomic_load(&allocations), atomic_load(&locks), atomic_load(&system_calls)};
}

const char *parley_counting_places(void) {
    static char text[PLACES * 256];
    size_t used = 0;
    text[0] = 0;
    int found = atomic_load(&place_count);
    for (int index = 0; index < found && index < PLACES; index++) {
        Dl_info info = {0};
        dladdr(places[index].address, &info);
        unsigned long offset = (unsigned long)((const char *)places[index].address - (const char *)info.dli_fbase);
        int length = snprintf(
            text + used, sizeof text - used, "%s %s+0x%lx %s\n", places[index].kind,
            info.dli_fname ? info.dli_fname : "?", offset, info.dli_sname ? info.dli_sname : "");
        if (length < 0 || (used += (size_t)length) >= sizeof text) break;
    }
    return text;
}

// Memory. The C library's own names for its functions need no look-up, which would itself allocate.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
    COUNT(allocations, "malloc");
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    COUNT(allocations, "calloc");
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    COUNT(allocations, "realloc");
    return __libc_realloc(memory, size);
}

void free(void *memory) {
    if (memory) COUNT(allocations, "free");
    __libc_free(memory);
}

void *memalign(size_t alignment, size_t size) {
    COUNT(allocations, "memalign");
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    COUNT(allocations, "aligned_alloc");
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    COUNT(allocations, "posix_memalign");
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

// Everything else is looked up when the first thread needs it, which is long before an audio thread does.

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) { \
        is_inside = true; \
        next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        is_inside = false; \
    }

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    NEXT(pthread_mutex_lock)
    COUNT(locks, "pthread_mutex_lock");
    return next(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    NEXT(pthread_rwlock_rdlock)
    COUNT(locks, "pthread_rwlock_rdlock");
    return next(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    NEXT(pthread_rwlock_wrlock)
    COUNT(locks, "pthread_rwlock_wrlock");
    return next(lock);
}

// `Diagnostics.Guarded` tells the thread sanitizer of its locks, when there is one. Here it tells us.
void __tsan_acquire(void *address) {
    (void)address;
    COUNT(locks, "Guarded");
}

void __tsan_release(void *address) { (void)address; }

// Swift's Mutex waits in the kernel by this.
long syscall(long number, ...) {
    NEXT(syscall)
    COUNT(locks, "syscall");
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
         e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    return next(number, a, b, c, d, e, f);
}

int usleep(useconds_t time) {
    NEXT(usleep)
    COUNT(system_calls, "usleep");
    return next(time);
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
    NEXT(nanosleep)
    COUNT(system_calls, "nanosleep");
    return next(time, rest);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    NEXT(write)
    if (count != 8) COUNT(system_calls, "write");
    return next(descriptor, bytes, count);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    NEXT(read)
    if (count != 8) COUNT(system_calls, "read");
    return next(descriptor, bytes, count);
}

// Streams name their threads by this when these begin.
int prctl(int option, ...) {
    NEXT(prctl)
    va_list list;
    va_start(list, option);
    unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long), c = va_arg(list, unsigned long),
                  d = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_NAME) {
        const char *name = (const char *)a;
        is_audio_thread = !strncmp(name, "parley-capture", 14) || !strncmp(name, "parley-playback", 15);
    }
    return next(option, a, b, c, d);
}

#endif
