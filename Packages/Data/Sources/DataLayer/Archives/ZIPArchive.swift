// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Glibc

/// A ZIP archive (PKWARE's APPNOTE 6.3.10) in memory, for a few small files.
///
/// Files are stored, not compressed: each is readable in the archive's bytes, and no library is needed. Names are UTF-8, modes
/// 0600, times UTC in steps of two seconds.
public struct ZIPArchive: Sendable {
    private var files: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0
    private let stamp: (time: UInt16, date: UInt16)

    /// An empty archive.
    ///
    /// - Parameter modifiedAt: The time of all files; what is before 1980 or after 2107 becomes 1980.
    public init(modifiedAt: Date) {
        var seconds = time_t(modifiedAt.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        guard (80...207).contains(parts.tm_year) else {
            stamp = (0, 1 << 5 | 1)
            return
        }
        stamp = (
            UInt16(parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2),
            UInt16((parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday)
        )
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: A relative path with `/`, at most 65,535 bytes, not in the archive yet.
    ///   - content: Its bytes. An archive holds 4 GB, and 65,535 files.
    public mutating func add(_ name: String, _ content: [UInt8]) {
        let offset = files.count
        precondition(
            name.utf8.count < 1 << 16 && count < (1 << 16) - 1 && offset + content.count < 1 << 32 - 1 << 24,
            "the file does not fit into a ZIP archive")
        // Version 2.0 to read; bit 11: the name is UTF-8; method 0: stored.
        var entry = Self.bytes(UInt16(20)) + Self.bytes(UInt16(1 << 11)) + Self.bytes(UInt16(0))
        entry += Self.bytes(stamp.time) + Self.bytes(stamp.date) + Self.bytes(Self.checksum(content))
        entry += Self.bytes(UInt32(content.count)) + Self.bytes(UInt32(content.count))
        entry += Self.bytes(UInt16(name.utf8.count)) + Self.bytes(UInt16(0))
        files += Self.bytes(UInt32(0x0403_4b50)) + entry + name.utf8 + content
        // Made by Unix (3), so that the upper half of the attributes is the mode.
        directory += Self.bytes(UInt32(0x0201_4b50)) + Self.bytes(UInt16(3 << 8 | 20)) + entry
        directory += Self.bytes(UInt16(0)) + Self.bytes(UInt16(0)) + Self.bytes(UInt16(0))
        directory += Self.bytes(UInt32(S_IFREG | 0o600) << 16) + Self.bytes(UInt32(offset)) + name.utf8
        count += 1
    }

    /// The archive with the files so far.
    public var bytes: [UInt8] {
        var end = Self.bytes(UInt32(0x0605_4b50)) + Self.bytes(UInt16(0)) + Self.bytes(UInt16(0))
        end += Self.bytes(UInt16(count)) + Self.bytes(UInt16(count))
        end += Self.bytes(UInt32(directory.count)) + Self.bytes(UInt32(files.count)) + Self.bytes(UInt16(0))
        return files + directory + end
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }

    /// CRC-32 as in ISO 3309.
    private static func checksum(_ content: [UInt8]) -> UInt32 {
        ~content.reduce(~0) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
}
