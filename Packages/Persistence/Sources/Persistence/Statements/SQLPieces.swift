// SPDX-License-Identifier: MIT

/// A statement's text as the compiler gives it: a few literals of the program with values between them.
///
/// A literal is told by its address and length, so that a statement that runs again is found without building its text.
@usableFromInline
struct SQLPieces: Sendable, Hashable {
    static let capacity = 8

    /// The literals' addresses.
    private var starts = SIMD8<UInt64>.zero
    /// Each literal's length in the upper half, and in the lower one how many values follow it.
    private var shapes = SIMD8<UInt64>.zero
    private var count = 0

    /// The text, with `?` in the place of each value.
    var text: String {
        var text = ""
        for index in 0..<count {
            if let start = UnsafePointer<UInt8>(bitPattern: UInt(starts[index])) {
                let bytes = UnsafeBufferPointer(start: start, count: Int(shapes[index] >> 32))
                text += String(decoding: bytes, as: UTF8.self)
            }
            text += String(repeating: "?", count: Int(shapes[index] & 0xFFFF_FFFF))
        }
        return text
    }

    init() {}

    /// The text of a literal alone; nil where that has no address.
    init?(_ literal: StaticString) {
        guard append(literal) else { return nil }
    }

    /// Adds a literal; false, and nothing added, if there is no room or it has no address.
    mutating func append(_ literal: StaticString) -> Bool {
        guard literal.hasPointerRepresentation, count < Self.capacity else { return false }
        starts[count] = UInt64(UInt(bitPattern: literal.utf8Start))
        shapes[count] = UInt64(literal.utf8CodeUnitCount) << 32
        count += 1
        return true
    }

    /// Adds a value.
    mutating func appendValue() {
        // One that comes first follows a literal without characters.
        if count == 0 { count = 1 }
        shapes[count - 1] += 1
    }

    /// Most statements have a few pieces; comparing all eight costs more than finding the statement.
    @usableFromInline
    static func == (one: SQLPieces, other: SQLPieces) -> Bool {
        guard one.count == other.count else { return false }
        for index in 0..<one.count
        where one.starts[index] != other.starts[index] || one.shapes[index] != other.shapes[index] {
            return false
        }
        return true
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        let mixed = starts &* SIMD8(1, 3, 5, 7, 9, 11, 13, 15) &+ (shapes &<< 7)
        hasher.combine(mixed.wrappedSum())
    }
}
