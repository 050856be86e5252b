// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Sound on the wire (RFC 4648 §4, with padding).
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// The bytes, or `nil` if the text is not base64.
    package static func decode(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }
}

extension WireObject {
    /// The bytes of a field in base64.
    package func sound(_ name: String) throws(WireError) -> [UInt8] {
        guard let bytes = Base64.decode(try string(name)) else {
            throw WireError(subject, field: name, expected: "base64")
        }
        return bytes
    }

    /// The bytes of a field in base64, if it exists and is not empty.
    package func optionalSound(_ name: String) throws(WireError) -> [UInt8]? {
        guard let text = optionalString(name), !text.isEmpty else { return nil }
        return try sound(name)
    }
}
