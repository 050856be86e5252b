// SPDX-License-Identifier: MIT
#ifndef PARLEY_CEVENTQUEUE_SHIM_H
#define PARLEY_CEVENTQUEUE_SHIM_H

// What waits for sockets, which Swift's Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
