// SPDX-License-Identifier: MIT

/// The name under which a request appears in logs, in its answer and in problem details.
enum RequestID {
    /// The id that the client gave in `X-Request-Id`, if it is harmless: 8 to 64 letters, digits, `-`, `_` and `.`.
    static func accept(_ value: String?) -> String? {
        guard let value, (8...64).contains(value.utf8.count),
            value.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            })
        else { return nil }
        return value
    }

    /// A new one: 96 random bits in hexadecimal.
    static func make(random: inout some RandomNumberGenerator) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var high = UInt64.random(in: .min ... .max, using: &random)
        var low = UInt64.random(in: .min ... .max, using: &random)
        return String(unsafeUninitializedCapacity: 24) { buffer in
            for index in 0..<24 {
                buffer[index] = digits[Int(index < 16 ? high & 15 : low & 15)]
                if index < 16 { high >>= 4 } else { low >>= 4 }
            }
            return 24
        }
    }
}
