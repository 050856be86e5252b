// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A universally unique id (RFC 9562) of one kind of entity; `Entity` keeps the kinds apart at compile time.
public struct Identifier<Entity>: Hashable, Sendable, CustomStringConvertible {
    /// The id as a UUID.
    public let uuid: UUID

    /// Makes a new random id, or wraps an existing one.
    public init(_ uuid: UUID = UUID()) {
        self.uuid = uuid
    }

    /// Parses the 36-character text form; `nil` for anything else.
    public init?(_ text: String) {
        // UUID reads up to a NUL, and no further.
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    /// The 36-character text form in lower case.
    public var description: String { uuid.uuidString.lowercased() }
}

extension Identifier: Comparable {
    /// Compares the bytes, which gives the order of the text form, too.
    public static func < (left: Self, right: Self) -> Bool { left.halves < right.halves }

    /// The id with these bytes; see ``halves``.
    public init(high: UInt64, low: UInt64) {
        func byte(_ number: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (56 - 8 * index)) }
        self.init(
            UUID(
                uuid: (
                    byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                    byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                    byte(low, 5), byte(low, 6), byte(low, 7)
                )))
    }

    /// The first and the last eight bytes as numbers, the first byte the highest.
    public var halves: (high: UInt64, low: UInt64) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            let numbers = bytes.loadUnaligned(as: (UInt64, UInt64).self)
            return (UInt64(bigEndian: numbers.0), UInt64(bigEndian: numbers.1))
        }
    }
}
