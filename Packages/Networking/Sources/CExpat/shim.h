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

#endif
