// SPDX-License-Identifier: MIT
#ifndef PARLEY_CSNDFILE_SHIM_H
#define PARLEY_CSNDFILE_SHIM_H

#include <lazy_library.h>
#include <sndfile.h>

#define CSNDFILE_FUNCTIONS(F) \
    F(csndfile, sf_close) F(csndfile, sf_command) F(csndfile, sf_error) F(csndfile, sf_format_check) \
    F(csndfile, sf_get_string) F(csndfile, sf_open_fd) F(csndfile, sf_open_virtual) F(csndfile, sf_readf_float) \
    F(csndfile, sf_seek) F(csndfile, sf_set_string) F(csndfile, sf_strerror) F(csndfile, sf_write_sync) \
    F(csndfile, sf_writef_float) F(csndfile, sf_writef_int) F(csndfile, sf_writef_short)
CSNDFILE_FUNCTIONS(CLAZY_RENAME)

#endif
