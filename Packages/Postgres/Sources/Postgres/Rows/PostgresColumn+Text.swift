// SPDX-License-Identifier: MIT

import FoundationEssentials

extension PostgresColumn {
    /// A text, JSON, a UUID in lower case, a decimal number with all its digits, or a label of an enumeration.
    func text() throws(PostgresError) -> String {
        var bytes = try content("text")
        switch type {
        case WireType.text, WireType.limitedText, WireType.paddedText, WireType.name, WireType.json, WireType.xml,
            WireType.unknown, WireType.character:
            break
        case WireType.jsonb:
            // One byte of version comes first.
            guard bytes.first == 1 else { throw mismatch("JSON of version 1") }
            bytes = UnsafeRawBufferPointer(rebasing: bytes[1...])
        case WireType.uuid:
            guard bytes.count == 16 else { throw mismatch("a UUID") }
            return Self.uuid(bytes)
        case WireType.numeric:
            guard let number = WireNumeric(bytes) else { throw mismatch("a decimal number") }
            return number.text
        case WireType.firstCustom...:
            // An enumeration is its label. An array or a composite has bytes that no text has.
            guard !bytes.contains(where: { $0 < 32 && $0 != 9 && $0 != 10 && $0 != 13 }) else {
                throw mismatch("text")
            }
        default: throw mismatch("text")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw mismatch("UTF-8") }
        return text
    }

    func time() throws(PostgresError) -> Date {
        let bytes = try content("a time")
        let date: Date? =
            switch (type, bytes.count) {
            case (WireType.timestampWithZone, 8), (WireType.timestamp, 8):
                PostgresTime.date(ofMicroseconds: Int64(bitPattern: Self.bigEndian(bytes)))
            case (WireType.date, 4):
                PostgresTime.date(ofDays: Int32(truncatingIfNeeded: Self.bigEndian(bytes)))
            default: nil
            }
        guard let date else { throw mismatch("a finite time") }
        return date
    }

    private static func uuid(_ bytes: UnsafeRawBufferPointer) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(45) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
