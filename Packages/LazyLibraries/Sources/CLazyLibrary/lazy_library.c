// SPDX-License-Identifier: MIT
#include "lazy_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// One library is loaded at a time.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// A failure is not kept: the library may be installed meanwhile.
const char *clazy_load(clazy_library *library) {
    pthread_mutex_lock(&lock);
    void *handle = library->handle;
    if (handle == NULL) {
        handle = dlopen(library->file, RTLD_LAZY | RTLD_GLOBAL);
        for (unsigned long index = 0; handle != NULL && index < library->count; index++) {
            void *function = dlsym(handle, library->functions[index].name);
            // What has been found stays usable, since the library stays in memory.
            if (function != NULL) __atomic_store_n(library->functions[index].slot, function, __ATOMIC_RELEASE);
            else handle = NULL;
        }
        const char *reason = handle == NULL ? dlerror() : NULL;
        // Written once, since others may be reading it.
        if (handle == NULL && library->reason[0] == 0)
            snprintf(
                library->reason, sizeof library->reason, "%s. Install the package %s.",
                reason != NULL ? reason : library->file, library->package);
        library->handle = handle;
    }
    pthread_mutex_unlock(&lock);
    return handle != NULL ? NULL : library->reason;
}

void clazy_load_or_abort(clazy_library *library) {
    const char *reason = clazy_load(library);
    if (reason == NULL) return;
    fprintf(stderr, "parley: %s\n", reason);
    abort();
}
