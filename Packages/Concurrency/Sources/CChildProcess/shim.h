// SPDX-License-Identifier: MIT
#ifndef PARLEY_CCHILDPROCESS_SHIM_H
#define PARLEY_CCHILDPROCESS_SHIM_H

// Calls of glibc that its headers hide behind _GNU_SOURCE, since 2.9, 2.34 and 2.29. The actions are a
// posix_spawn_file_actions_t: <spawn.h> would take types with it that belong to Swift's module Glibc.
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);
int posix_spawn_file_actions_addchdir_np(void *actions, const char *directory);

#endif
