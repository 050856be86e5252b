// SPDX-License-Identifier: MIT

/// Writes the one encoding that every value of this package has (`docs/sync-format.md`).
///
/// Numbers are unsigned LEB128 in their shortest form; byte strings are their length and their bytes.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(count: Int) { write(UInt64(count)) }

    /// Bytes whose number the reader knows.
    mutating func write(fixed other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

    mutating func write(_ string: some Collection<UInt8>) {
        write(count: string.count)
        bytes.append(contentsOf: string)
    }
}

/// Reads what a ``ByteWriter`` wrote; anything else is a ``SyncError`` with the code `invalid`.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    var remaining: Int { end - position }

    mutating func number() throws(SyncError) -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while true {
            guard position < end, shift < 64 else { throw .invalid("a number is cut off or too long") }
            let byte = bytes[position]
            position += 1
            let part = UInt64(byte & 0x7F)
            guard shift < 63 || part <= 1 else { throw .invalid("a number has more than 64 bits") }
            value |= part << shift
            if byte < 0x80 {
                guard byte != 0 || shift == 0 else { throw .invalid("a number is longer than it must be") }
                return value
            }
            shift += 7
        }
    }

    /// A number that fits into a type.
    mutating func number<Number: FixedWidthInteger>(as type: Number.Type) throws(SyncError) -> Number {
        guard let number = Number(exactly: try number()) else { throw .invalid("a number is out of range") }
        return number
    }

    /// A count of items that each take at least `size` bytes, so that no count makes a reader allocate more than it got.
    mutating func count(ofItemsOf size: Int) throws(SyncError) -> Int {
        let count = try number(as: Int.self)
        guard count <= remaining / max(1, size) else { throw .invalid("a count is larger than the rest") }
        return count
    }

    mutating func fixed(_ count: Int) throws(SyncError) -> [UInt8] {
        guard count >= 0, count <= remaining else { throw .invalid("bytes are cut off") }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func string() throws(SyncError) -> [UInt8] { try fixed(count(ofItemsOf: 1)) }

    func finish() throws(SyncError) {
        guard remaining == 0 else { throw .invalid("there are bytes too many") }
    }
}

extension SyncError {
    /// Bytes that are not what they should be; `reason` completes the sentence.
    static func invalid(_ reason: String) -> SyncError { SyncError(code: .invalid, message: "Invalid: \(reason).") }
}
