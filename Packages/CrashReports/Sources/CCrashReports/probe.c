// SPDX-License-Identifier: MIT
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

// write(2) answers EFAULT where a load would fault. process_vm_readv(2) would do it in one call, but the filters of
// container runtimes forbid it as a debugger's call.
bool probe_open(struct probe *probe) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
    probe->read_end = ends[0];
    probe->write_end = ends[1];
    return true;
}

void probe_close(struct probe *probe) {
    close(probe->read_end);
    close(probe->write_end);
}

bool probe_read(const struct probe *probe, uintptr_t address, void *into, size_t count) {
    char part[1024];
    if (count > sizeof part) return false;
    ssize_t written;
    do written = write(probe->write_end, (const void *)address, count);
    while (written < 0 && errno == EINTR);
    if (written <= 0) return false;
    // What was written of a range that ends too early leaves the pipe, too.
    ssize_t taken = read(probe->read_end, written == (ssize_t)count ? into : part, (size_t)written);
    return taken == (ssize_t)count;
}
