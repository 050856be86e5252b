// SPDX-License-Identifier: MIT

import Glibc

/// Finds the ends of lines, which are CR LF, LF or CR, in one piece of bytes.
///
/// Two `memchr` run ahead, one for each kind of end, and neither looks at a byte twice: the search is linear for any
/// number of lines, and as fast as the C library's.
struct LineEndScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The start of the next line.
    var position: Int
    /// True if the line found last ended in a CR that was the last byte, so that an LF may still belong to it.
    private(set) var endedAtLastCR = false
    private var nextLF = -1
    private var nextCR = -1

    init(bytes: UnsafeBufferPointer<UInt8>, from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The end of the line at `position`, its line break excluded; moves on to the line after. Nil if no line break is
    /// found.
    mutating func next() -> Int? {
        if nextLF < position { nextLF = find(UInt8(ascii: "\n")) }
        if nextCR < position { nextCR = find(UInt8(ascii: "\r")) }
        let end = min(nextLF, nextCR)
        guard end < bytes.count else { return nil }
        position = end + 1
        endedAtLastCR = end == nextCR && position == bytes.count
        if end == nextCR, position == nextLF, position < bytes.count { position += 1 }
        return end
    }

    private func find(_ byte: UInt8) -> Int {
        guard let base = bytes.baseAddress, position < bytes.count else { return bytes.count }
        guard let found = memchr(base + position, Int32(byte), bytes.count - position) else { return bytes.count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
