// SPDX-License-Identifier: MIT

import Security

/// Six decimal digits.
enum OneTimeCode {
    static let digitCount = 6

    /// A code, each of the million as likely as any other: numbers beyond the last whole million of 32 bits are drawn anew.
    static func random() throws -> String {
        let limit = UInt32.max - UInt32.max % 1_000_000
        while true {
            let number = try SecureRandom.bytes(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            guard number < limit else { continue }
            let digits = String(number % 1_000_000)
            return String(repeating: "0", count: digitCount - digits.count) + digits
        }
    }

    static func isCode(_ text: String) -> Bool {
        text.utf8.count == digitCount && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
