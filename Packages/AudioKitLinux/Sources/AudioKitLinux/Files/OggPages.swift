// SPDX-License-Identifier: MIT

/// The end of an Ogg stream (RFC 3533): detects an incomplete stream and completes it without touching the sound.
enum OggPages {
    /// A whole page.
    struct Page: Equatable {
        /// The offset of its first byte, and its length in bytes.
        let offset: Int
        let length: Int
        /// True if it is marked as the last page.
        let isLast: Bool
    }

    /// The longest page: 27 bytes, 255 segments of 255 bytes, and their table.
    static let longest = 27 + 255 + 255 * 255

    /// The last whole page within `bytes`, the end of a file; nil if there is no whole page.
    static func lastPage(in bytes: [UInt8]) -> Page? {
        var offset = bytes.count - 27
        while offset >= 0 {
            if let page = page(in: bytes, at: offset) { return page }
            offset -= 1
        }
        return nil
    }

    /// The page that begins at `offset`; nil unless it is whole and its checksum is right.
    static func page(in bytes: [UInt8], at offset: Int) -> Page? {
        guard bytes.count >= offset + 27, bytes[offset] == 0x4F, bytes[offset..<offset + 5].elementsEqual(mark) else {
            return nil
        }
        let segments = Int(bytes[offset + 26])
        guard bytes.count >= offset + 27 + segments else { return nil }
        let body = bytes[offset + 27..<offset + 27 + segments].reduce(0) { $0 + Int($1) }
        let length = 27 + segments + body
        guard bytes.count >= offset + length else { return nil }
        let page = Array(bytes[offset..<offset + length])
        let stored = page[22..<26].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard checksum(page) == stored else { return nil }
        return Page(offset: offset, length: length, isLast: page[5] & 4 != 0)
    }

    /// The bytes of a page, marked as the last one.
    static func completed(_ page: [UInt8]) -> [UInt8] {
        var page = page
        page[5] |= 4
        let sum = checksum(page)
        for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
        return page
    }

    /// The checksum of a page, with its own four bytes as zero (RFC 3533 §6: polynomial 0x04C11DB7, not reflected).
    private static func checksum(_ page: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0
        for (index, byte) in page.enumerated() {
            let value = (22..<26).contains(index) ? 0 : byte
            sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ value)]
        }
        return sum
    }

    private static let mark: [UInt8] = Array("OggS".utf8) + [0]

    private static let table: [UInt32] = (0..<256).map { (number: UInt32) in
        var value = number << 24
        for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1 }
        return value
    }
}
