// SPDX-License-Identifier: MIT
#ifndef PARLEY_CQRENCODE_SHIM_H
#define PARLEY_CQRENCODE_SHIM_H

#include <lazy_library.h>
#include <qrencode.h>

#define CQRENCODE_FUNCTIONS(F) F(cqrencode, QRcode_encodeData) F(cqrencode, QRcode_free)
CQRENCODE_FUNCTIONS(CLAZY_RENAME)

#endif
