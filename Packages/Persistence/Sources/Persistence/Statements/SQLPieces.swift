// SPDX-License-Identifier: MIT

/// A statement's text as the compiler gives it: a few literals of the program with values between them.
///
/// A literal is identified by its address and length, so that a statement that runs again is found without building its
/// text.
@usableFromInline
struct SQLPieces: Sendable, Equatable, Hashable {
    static let capacity = 8

    /// Each literal's address in the upper 48 bits, its length in 12, and the number of values that follow it in the
    /// lowest 4: all eight are compared and copied for each run of a statement, so they are small.
    private var words = InlineArray<8, UInt64>(repeating: 0)
    private var count = 0

    /// The text, with `?` in the place of each value.
    var text: String {
        var text = ""
        for index in 0..<count {
            let word = words[index]
            if let start = UnsafePointer<UInt8>(bitPattern: UInt(word >> 16)) {
                let bytes = UnsafeBufferPointer(start: start, count: Int(word >> 4 & 0xFFF))
                text += String(decoding: bytes, as: UTF8.self)
            }
            text += String(repeating: "?", count: Int(word & 0xF))
        }
        return text
    }

    /// A number from 0 to 15 that is the same for equal pieces, and seldom for different ones.
    var slot: Int {
        var mixed: UInt64 = 0
        for index in 0..<count { mixed = (mixed ^ words[index]) &* 0x9E37_79B9_7F4A_7C15 }
        return Int(mixed >> 60)
    }

    init() {}

    /// Adds a literal; false, and nothing added, if there is no room or it has no address.
    mutating func append(_ literal: StaticString) -> Bool {
        guard literal.hasPointerRepresentation, count < Self.capacity else { return false }
        let (address, length) = (UInt64(UInt(bitPattern: literal.utf8Start)), literal.utf8CodeUnitCount)
        guard address < 1 << 48, length < 1 << 12 else { return false }
        words[count] = address << 16 | UInt64(length) << 4
        count += 1
        return true
    }

    /// Adds a value; false, and nothing added, if there is no room.
    mutating func appendValue() -> Bool {
        // A first value follows a literal without characters.
        if count == 0 { count = 1 }
        guard words[count - 1] & 0xF < 0xF else { return false }
        words[count - 1] += 1
        return true
    }

    @usableFromInline
    static func == (one: SQLPieces, other: SQLPieces) -> Bool {
        guard one.count == other.count else { return false }
        for index in 0..<one.count where one.words[index] != other.words[index] { return false }
        return true
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        for index in 0..<count { hasher.combine(words[index]) }
    }
}
