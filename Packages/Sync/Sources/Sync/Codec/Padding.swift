// SPDX-License-Identifier: MIT

/// PADMÉ (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", PETS 2019 §4):
/// a length reveals O(log log n) bits of itself and grows by at most 12%.
enum Padding {
    /// The padded length of `count` bytes.
    static func paddedCount(_ count: Int) -> Int {
        guard count > 1 else { return count }
        let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = exponent > kept ? (1 << (exponent - kept)) - 1 : 0
        return (count + mask) & ~mask
    }

    /// The bytes, a one and zeros up to the padded length (ISO/IEC 7816-4).
    static func pad(_ bytes: [UInt8]) -> [UInt8] {
        let count = paddedCount(bytes.count + 1)
        return bytes + [0x80] + [UInt8](repeating: 0, count: count - bytes.count - 1)
    }

    static func unpad(_ bytes: [UInt8]) throws(SyncError) -> [UInt8] {
        guard let end = bytes.lastIndex(where: { $0 != 0 }), bytes[end] == 0x80 else {
            throw .invalid("the padding does not end")
        }
        guard paddedCount(end + 1) == bytes.count else { throw .invalid("the padding has another length") }
        return Array(bytes[..<end])
    }
}
