// SPDX-License-Identifier: MIT

/// A file in a tar archive, in the interchange format of POSIX.1-1988 (ustar), which every tar reads.
struct TarEntry: Sendable, Hashable {
    /// Archives are made of blocks of this size.
    static let blockSize = 512
    /// The end of an archive.
    static let end = [UInt8](repeating: 0, count: 2 * blockSize)

    /// At most 100 bytes of ASCII.
    let name: String
    /// At most 8 GiB less one byte.
    let size: Int
    /// Seconds since 1970.
    let modifiedAt: Int64

    /// The block before the content.
    var header: [UInt8] {
        precondition(name.utf8.count <= 100 && (0..<(1 << 33)).contains(size), "no name or size for a ustar header")
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: String, at offset: Int) {
            block.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
        }
        put(name, at: 0)
        put("0000600\0", at: 100)
        put("0000000\0", at: 108)
        put("0000000\0", at: 116)
        put(Self.octal(size, 11), at: 124)
        put(Self.octal(Int(max(0, modifiedAt)), 11), at: 136)
        // The sum counts its own field as spaces.
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        put(Self.octal(block.reduce(0) { $0 + Int($1) }, 6) + "\0 ", at: 148)
        return block
    }

    /// The zeros after the content, up to the next whole block.
    var padding: [UInt8] {
        [UInt8](repeating: 0, count: (Self.blockSize - size % Self.blockSize) % Self.blockSize)
    }

    private static func octal(_ number: Int, _ width: Int) -> String {
        let digits = String(number, radix: 8)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
