// SPDX-License-Identifier: MIT

import FoundationEssentials
import Persistence

/// A column's value as the bytes of a synced field: one byte for its kind, then the value.
enum ColumnValue {
    /// The bytes; an integer has eight, highest first.
    static func bytes(_ value: SQLValue) -> [UInt8] {
        switch value {
        case .null: [0]
        case .integer(let number): [1] + bigEndian(UInt64(bitPattern: number)).drop { $0 == 0 }
        case .real(let number): [2] + bigEndian(number.bitPattern)
        case .text(let text): [3] + Array(text.utf8)
        case .blob(let bytes): [4] + bytes
        }
    }

    /// The value; nil for bytes of another form, which a newer program may have written.
    static func value(_ bytes: [UInt8]) -> SQLValue? {
        let rest = bytes.dropFirst()
        switch bytes.first {
        case 0 where rest.isEmpty: return .null
        case 1 where rest.count <= 8: return .integer(Int64(bitPattern: number(rest)))
        case 2 where rest.count == 8: return .real(Double(bitPattern: number(rest)))
        case 3: return String(validating: rest, as: UTF8.self).map { .text($0) }
        case 4: return .blob(Array(rest))
        default: return nil
        }
    }

    private static func bigEndian(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// An id in text form as 16 bytes, and back.
enum RecordID {
    static func bytes(_ text: String) -> [UInt8]? {
        guard let uuid = UUID(uuidString: text)?.uuid else { return nil }
        return withUnsafeBytes(of: uuid) { Array($0) }
    }

    static func text(_ bytes: some Collection<UInt8>) -> String? {
        guard bytes.count == 16 else { return nil }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }
}
