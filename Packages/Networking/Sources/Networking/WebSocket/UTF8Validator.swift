// SPDX-License-Identifier: MIT

/// Checks UTF-8 that comes in pieces, and fails at the first byte that no valid text can have there.
///
/// The ranges are those of the Unicode Standard's table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
/// ASCII goes 32 bytes at a step.
struct UTF8Validator: Sendable {
    /// How many bytes the character that is open still needs.
    private var needed = 0
    /// What the next of them must be; after it, 0x80 to 0xBF.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    /// Whether the text so far does not end in the middle of a character.
    var isComplete: Bool { needed == 0 }

    /// Takes the next bytes; false as soon as they cannot be UTF-8, after which the validator must not be used.
    mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if needed == 0 {
                index = skipASCII(bytes, from: index)
                guard index < bytes.count else { return true }
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

    private func skipASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 32 <= bytes.count {
            let block = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
            guard (block & SIMD4(repeating: 0x8080_8080_8080_8080)) == SIMD4.zero else { break }
            index += 32
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
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
