// SPDX-License-Identifier: MIT
#ifndef CEXPAT_SHIM_H
#define CEXPAT_SHIM_H

#include <expat.h>
#include <lazy_library.h>

#define CEXPAT_FUNCTIONS(F) \
    F(cexpat, XML_ErrorString) F(cexpat, XML_GetCurrentLineNumber) F(cexpat, XML_GetErrorCode) F(cexpat, XML_Parse) \
    F(cexpat, XML_ParserCreateNS) F(cexpat, XML_ParserFree) F(cexpat, XML_SetCharacterDataHandler) \
    F(cexpat, XML_SetElementHandler) F(cexpat, XML_SetStartDoctypeDeclHandler) F(cexpat, XML_SetUserData) \
    F(cexpat, XML_StopParser)
CEXPAT_FUNCTIONS(CLAZY_RENAME)

// A later expat calls XML_GetCurrentLineNumber deprecated, and has another one that Debian 12's does not have.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline unsigned long cexpat_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
#pragma clang diagnostic pop

#endif
