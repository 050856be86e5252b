// SPDX-License-Identifier: MIT

/// The number of rows of a vector file, in 48 bytes. There are two copies: while one is being written, the other is
/// whole.
struct VectorHeader: Equatable {
    static let size = 48
    private static let magic: UInt64 = 0x3130_4345_5659_4C50

    var dimension: Int
    /// Grows with each writing; of two whole copies, the higher one counts.
    var sequence: UInt64
    var rows: Int

    init(dimension: Int, sequence: UInt64, rows: Int) {
        self.dimension = dimension
        self.sequence = sequence
        self.rows = rows
    }

    /// Reads a copy; nil if it is incomplete or invalid.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.size else { return nil }
        let words = (0..<6).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
        guard words[0] == Self.magic, words[5] == Self.checksum(words), let dimension = Int(exactly: words[1]),
            VectorLayout.dimensions.contains(dimension), words[2] == UInt64(VectorLayout.rowsPerChunk),
            let rows = Int(exactly: words[4])
        else { return nil }
        self.init(dimension: dimension, sequence: words[3], rows: rows)
    }

    var bytes: [UInt8] {
        var words = [
            Self.magic, UInt64(dimension), UInt64(VectorLayout.rowsPerChunk), sequence, UInt64(rows),
        ]
        words.append(Self.checksum(words))
        return words.flatMap { word in withUnsafeBytes(of: word.littleEndian, Array.init) }
    }

    private static func checksum(_ words: [UInt64]) -> UInt64 {
        var checksum = VectorChecksum()
        for word in words.prefix(5) { checksum.add(word) }
        return checksum.value
    }
}
