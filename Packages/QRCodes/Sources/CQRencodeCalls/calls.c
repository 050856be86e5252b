// SPDX-License-Identifier: MIT
#include "qrencode_calls.h"

#include "../CQRencode/shim.h"

CLAZY_LIBRARY(cqrencode, "libqrencode.so.4", "libqrencode4", CQRENCODE_FUNCTIONS)
