// SPDX-License-Identifier: MIT

/// Names of query items, form fields and header fields with secret values, before a separator.
enum SecretNames {
    /// The names in lower case, letters only: `API-Key`, `api_key` and `api%5Fkey` are one name.
    private static let endings: [[UInt8]] = [
        "apikey", "token", "secret", "password", "passwd", "passphrase", "signature", "sig",
    ].map { Array($0.utf8) }

    /// The most bytes of a name that are read, from its end.
    private static let limit = 64

    /// True if a secret's name ends right before this byte, plain or percent-encoded, and in quotation marks or not.
    static func endsName(in bytes: UnsafeBufferPointer<UInt8>, at separator: Int) -> Bool {
        var end = separator
        if end > 0, bytes[end - 1] == UInt8(ascii: "\"") { end -= 1 }
        var start = end
        while start > 0, end - start < limit, isName(bytes[start - 1]) { start -= 1 }
        let name = letters(of: bytes[start..<end])
        return endings.contains { $0.count <= name.count && name.suffix($0.count).elementsEqual($0) }
    }

    private static func letters(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 1 < bytes.endIndex, let high = digit(bytes[index]),
                let low = digit(bytes[index + 1])
            {
                byte = high << 4 | low
                index += 2
            }
            byte |= 0x20
            if UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte { result.append(byte) }
        }
        return result
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "%"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
