// SPDX-License-Identifier: MIT
#ifndef PARLEY_CLAZYLIBRARYTESTSUPPORT_H
#define PARLEY_CLAZYLIBRARYTESTSUPPORT_H

// Libraries for the tests: one that every machine has and whose functions take arguments of each kind, one that is nowhere, and one
// that lacks a function.
const char *csample_load(void);
const char *cabsent_load(void);
const char *clacking_load(void);

// Calls of the first library. The text takes more integers and doubles than there are registers.
int csamples_format(char *text, unsigned long size);
double csamples_fma(double left, double right, double sum);
int csamples_is_loaded(void);
int clacking_uses_what_is_there(void);

// Calls the library that is nowhere, in a process of its own. Returns the signal that ended it.
int cabsent_signal_of_call(void);

#endif
