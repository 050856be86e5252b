// SPDX-License-Identifier: MIT

/// The nonces of one key in one place: NIST SP 800-38D §8.2.2, the RBG-based construction with a 96-bit random field
/// and no free field. The first nonce is random, each next one is its predecessor plus one modulo 2⁹⁶.
struct NonceSequence {
    /// The most messages of one sequence: §8.3 allows 2³² invocations a key.
    static let limit: UInt64 = 1 << 32

    private var high: UInt32
    private var low: UInt64
    private var used: UInt64

    init() throws {
        let start = try SecureRandom.bytes(GCMContext.nonceByteCount)
        self.init(start: start)
    }

    /// A sequence with a chosen start, for tests.
    init(start: [UInt8], used: UInt64 = 0) {
        high = start[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        low = start[4...].reduce(0) { $0 << 8 | UInt64($1) }
        self.used = used
    }

    /// Writes the next nonce, 12 bytes.
    mutating func next(into target: UnsafeMutableRawPointer) throws {
        guard used < Self.limit else {
            throw SecurityError(
                code: .keyExhausted,
                message: "This key has sealed 2^32 messages, the most that is safe. Go on with a new key.")
        }
        used += 1
        target.storeBytes(of: high.bigEndian, as: UInt32.self)
        target.storeBytes(of: low.bigEndian, toByteOffset: 4, as: UInt64.self)
        low &+= 1
        if low == 0 { high &+= 1 }
    }
}
