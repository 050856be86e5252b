// SPDX-License-Identifier: MIT

/// The nonce of one chunk, as in the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár, CRYPTO 2015): seven zero
/// bytes, the chunk's number as 32 bits, and whether it is the last. A file's key is its own, so no more is needed.
enum ChunkNonce {
    /// - Throws: ``SecurityError`` with the code `keyExhausted` from chunk 2³² on.
    static func bytes(chunk: Int, isLast: Bool) throws -> [UInt8] {
        guard let number = UInt32(exactly: chunk) else {
            throw SecurityError(
                code: .keyExhausted, message: "A sealed file has at most 2^32 chunks. Go on in a new file.")
        }
        return [UInt8](repeating: 0, count: 7) + withUnsafeBytes(of: number.bigEndian, Array.init) + [isLast ? 1 : 0]
    }
}
