// SPDX-License-Identifier: MIT

/// Checks UTF-8 in pieces, and fails at the first byte that no valid text can have there.
///
/// The ranges are those of the Unicode Standard's table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
/// ASCII is checked 32 bytes at a step, and other characters one at a step.
struct UTF8Validator: Sendable {
    /// The number of bytes that the open character still needs.
    private var needed = 0
    /// The lowest value of the next byte; after it, 0x80 to 0xBF.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    /// True if the text so far does not end in the middle of a character.
    var isComplete: Bool { needed == 0 }

    /// Checks the next bytes; false as soon as they cannot be UTF-8, after which the validator must not be used.
    mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if needed == 0 {
                index = Self.skipASCII(bytes, from: index)
                guard let next = Self.skipWholeCharacters(bytes, from: index) else { return false }
                // ASCII again, or the last bytes, which may end in the middle of a character.
                if next > index || next == bytes.count {
                    index = next
                    continue
                }
                guard begin(bytes[index]) else { return false }
            } else {
                guard bytes[index] >= low, bytes[index] <= high else { return false }
                needed -= 1
                low = 0x80
                high = 0xBF
            }
            index += 1
        }
        return true
    }

    private static func skipASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 32 <= bytes.count {
            let block = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
            guard (block & SIMD4(repeating: 0x8080_8080_8080_8080)) == SIMD4.zero else { break }
            index += 32
        }
        while index + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let marks = word & 0x8080_8080_8080_8080
            guard marks == 0 else { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }

    /// Skips characters of two to four bytes, while there are four bytes to look at. It is fast because it keeps no
    /// state. Stops at ASCII.
    ///
    /// - Returns: The index where it stopped, or `nil` at invalid UTF-8.
    private static func skipWholeCharacters(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index + 4 <= bytes.count {
            // The lead in the lowest byte. The masks are of the bits that say which byte of a character this is.
            let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            let second = UInt8(truncatingIfNeeded: word >> 8)
            switch UInt8(truncatingIfNeeded: word) {
            case ..<0x80:
                return index
            case 0xC2...0xDF:
                guard word & 0xC000 == 0x8000 else { return nil }
                index += 2
            case let lead where lead >= 0xE0 && lead < 0xF0:
                guard word & 0xC0_C000 == 0x80_8000, lead != 0xE0 || second >= 0xA0, lead != 0xED || second < 0xA0
                else { return nil }
                index += 3
            case let lead where lead >= 0xF0 && lead < 0xF5:
                guard word & 0xC0C0_C000 == 0x8080_8000, lead != 0xF0 || second >= 0x90, lead != 0xF4 || second < 0x90
                else { return nil }
                index += 4
            default:
                return nil
            }
        }
        return index
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: needed = 1
        case 0xE0: (needed, low) = (2, 0xA0)
        case 0xED: (needed, high) = (2, 0x9F)
        case 0xE1...0xEF: needed = 2
        case 0xF0: (needed, low) = (3, 0x90)
        case 0xF1...0xF3: needed = 3
        case 0xF4: (needed, high) = (3, 0x8F)
        default: return false
        }
        return true
    }
}
