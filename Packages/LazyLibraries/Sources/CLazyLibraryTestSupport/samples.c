// SPDX-License-Identifier: MIT
#include "samples.h"

#include <fcntl.h>
#include <lazy_library.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

double fma(double left, double right, double sum);
int toupper(int character);
void nowhere_call(void);

#define CSAMPLE_FUNCTIONS(F) F(csample, fma) F(csample, snprintf)
CSAMPLE_FUNCTIONS(CLAZY_RENAME)
// libm needs libc, in which snprintf is.
CLAZY_LIBRARY(csample, "libm.so.6", "libc6", CSAMPLE_FUNCTIONS)

#define CABSENT_FUNCTIONS(F) F(cabsent, nowhere_call)
CABSENT_FUNCTIONS(CLAZY_RENAME)
CLAZY_LIBRARY(cabsent, "libparley-absent.so.1", "libparley-absent1", CABSENT_FUNCTIONS)

#define CLACKING_FUNCTIONS(F) F(clacking, toupper) F(clacking, parley_lacking)
CLACKING_FUNCTIONS(CLAZY_RENAME)
CLAZY_LIBRARY(clacking, "libc.so.6", "libc6", CLACKING_FUNCTIONS)

int csamples_is_loaded(void) { return csample_library.handle != NULL; }

int csamples_format(char *text, unsigned long size) {
    return snprintf(
        text, size, "%d %.1f %d %.1f %d %.1f %d %.1f %d %.1f %d %.1f %d %.1f %d %.1f %.1f", 1, 0.5, 2, 1.5, 3, 2.5, 4, 3.5, 5,
        4.5, 6, 5.5, 7, 6.5, 8, 7.5, 8.5);
}

double csamples_fma(double left, double right, double sum) { return fma(left, right, sum); }

int clacking_uses_what_is_there(void) { return toupper('a') == 'A'; }

int cabsent_signal_of_call(void) {
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
        nowhere_call();
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 0;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
