// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Base 64 in the alphabet for addresses, without padding (RFC 4648 §5), and only in its one canonical form.
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Decodes a text; nil for any other character, for padding, and for bits behind the end that are not zero (§3.5),
    /// since two texts for the same bytes would be two tokens.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.allSatisfy(isInAlphabet) else { return nil }
        let standard = String(text).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard padding.utf8.count < 3, let bytes = Data(base64Encoded: standard + padding), encode(bytes) == String(text)
        else { return nil }
        return Array(bytes)
    }

    private static func isInAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
