// SPDX-License-Identifier: MIT

import SyncWire

/// A device's id: the first 16 bytes of the SHA-256 of its two public keys.
public struct DeviceID: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// An id of 16 bytes; nil for another length.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == SyncObjectName.deviceByteCount else { return nil }
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        (high, low) = (number(0..<8), number(8..<16))
    }

    /// The 16 bytes.
    public var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
    }

    /// The order of the bytes.
    public static func < (left: DeviceID, right: DeviceID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The first 8 hexadecimal digits, enough for a person to tell devices apart.
    public var description: String { Hash(bytes).map { String("\($0)".prefix(8)) } ?? "" }
}

/// The SHA-256 of something, as its id: 32 bytes, or any other fixed number of them.
public struct Hash: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The bytes.
    public let bytes: [UInt8]

    /// A hash of given bytes; nil for none at all.
    public init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    init(of message: [UInt8]) throws(SyncError) {
        bytes = try Crypto.hash(message)
    }

    /// The order of the bytes.
    public static func < (left: Hash, right: Hash) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

    /// Hexadecimal digits.
    public var description: String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
