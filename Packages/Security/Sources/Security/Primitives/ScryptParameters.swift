// SPDX-License-Identifier: MIT

/// The work that one guess of a passphrase costs (RFC 7914 §2).
public struct ScryptParameters: Sendable, Hashable {
    /// The binary logarithm of the cost N: 14 to 18.
    public let costExponent: UInt8
    /// The block size r: 1 to 16. One guess takes 128 × N × r bytes of memory.
    public let blockSize: UInt8
    /// The parallelisation p: 1 to 16. The time grows with it, the memory does not.
    public let parallelization: UInt8

    /// N = 2¹⁵, r = 8, p = 3: 32 MiB, about a third of a second on one core; one of OWASP's equivalent choices.
    public static let standard = ScryptParameters(unchecked: 15, 8, 3)

    /// The most memory of a guess, so that a planted file cannot exhaust the machine.
    static let memoryLimit = 256 << 20

    /// Parameters within the bounds.
    ///
    /// - Throws: ``SecurityError`` with the code `invalidParameter` if one is outside its range, or if they would take
    ///   more than 256 MiB.
    public init(costExponent: UInt8, blockSize: UInt8 = 8, parallelization: UInt8 = 1) throws {
        self.init(unchecked: costExponent, blockSize, parallelization)
        guard (14...18).contains(costExponent), (1...16).contains(blockSize), (1...16).contains(parallelization),
            memory <= Self.memoryLimit
        else {
            throw SecurityError(
                code: .invalidParameter,
                message: "scrypt takes 2^14…2^18, r 1…16, p 1…16 and at most 256 MiB; this is 2^\(costExponent), "
                    + "r \(blockSize), p \(parallelization).")
        }
    }

    private init(unchecked costExponent: UInt8, _ blockSize: UInt8, _ parallelization: UInt8) {
        self.costExponent = costExponent
        self.blockSize = blockSize
        self.parallelization = parallelization
    }

    private var memory: Int { 128 * Int(blockSize) << Int(costExponent) }
}
