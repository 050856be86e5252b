// SPDX-License-Identifier: MIT

internal import CZlib

/// The bytes of a PNG file of one byte a pixel, which is an index into a palette.
///
/// The format is a sequence of chunks around zlib's output; see ISO/IEC 15948, clauses 5 and 11.
struct PNGFile {
    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Begins a file with its size and its title.
    init(width: Int, height: Int, title: String) {
        // 8 bits an index (colour type 3); deflate, filters by row, not interlaced.
        add("IHDR", Self.number(width) + Self.number(height) + [8, 3, 0, 0, 0])
        // Keyword, not compressed, no language; then UTF-8.
        add("iTXt", Array("Title".utf8) + [0, 0, 0, 0, 0] + Array(title.utf8))
    }

    /// Adds the pixels, row by row, and ends the file.
    mutating func add(
        palette: [(red: UInt8, green: UInt8, blue: UInt8)], pixels: [UInt8], width: Int
    ) throws(AudioError) {
        add("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] })
        var rows: [UInt8] = []
        rows.reserveCapacity(pixels.count + pixels.count / width)
        for first in stride(from: 0, to: pixels.count, by: width) {
            // No filter: neighbouring indices are not correlated.
            rows.append(0)
            rows += pixels[first..<first + width]
        }
        add("IDAT", try Self.deflated(rows))
        add("IEND", [])
    }

    private mutating func add(_ type: String, _ content: [UInt8]) {
        let body = Array(type.utf8) + content
        bytes += Self.number(content.count) + body
        let check = body.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) }
        bytes += Self.number(Int(check))
    }

    private static func deflated(_ bytes: [UInt8]) throws(AudioError) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: Int(compressBound(uLong(bytes.count))))
        var count = uLong(result.count)
        let code = compress(&result, &count, bytes, uLong(bytes.count))
        guard code == Z_OK else {
            throw AudioError(.io, "There is no memory for the picture. Draw a smaller one.", underlying: "zlib \(code)")
        }
        return Array(result.prefix(Int(count)))
    }

    /// Four bytes, the highest first.
    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
