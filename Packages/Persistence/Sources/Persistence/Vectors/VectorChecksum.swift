// SPDX-License-Identifier: MIT

/// FNV-1a over 64-bit words: it finds damage; it need not withstand an attacker, who could write the file as well.
struct VectorChecksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x100_0000_01B3
        // A multiplication carries only upwards.
        value ^= value >> 29
    }

    /// Adds bytes; an incomplete last word is filled up with zeros.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        add(rest)
    }

    /// The checksum of one row.
    static func ofRow(id: Int64, vector: UnsafeRawBufferPointer) -> UInt32 {
        var checksum = VectorChecksum()
        checksum.add(UInt64(bitPattern: id))
        checksum.add(vector)
        return UInt32(truncatingIfNeeded: checksum.value ^ (checksum.value >> 32))
    }
}
