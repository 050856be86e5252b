// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A text as the value of a header field (2026-07-28, transports): as it is, or in base64 where it would not survive.
enum MCPHeaderValue {
    static func encode(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let isPlain = bytes.allSatisfy { (0x20...0x7E).contains($0) }
        let hasEdge = bytes.first == 0x20 || bytes.last == 0x20
        let looksEncoded = text.hasPrefix("=?base64?") && text.hasSuffix("?=")
        if isPlain, !hasEdge, !looksEncoded { return text }
        return "=?base64?\(Data(bytes).base64EncodedString())?="
    }
}
