// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// A statement's values in the form that libpq takes: one buffer of bytes, and for each value its place, length and
/// format. Kept by a connection, so that its buffers are allocated once.
struct StatementParameters {
    private(set) var types: [UInt32] = []
    private var bytes: [UInt8] = []
    /// The offset of each value in `bytes`; -1 for NULL.
    private var offsets: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// Replaces the content.
    ///
    /// - Throws: ``PostgresError`` with `invalidValue`.
    mutating func set(_ parameters: [PostgresStatement.Parameter]) throws(PostgresError) {
        types.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
        for parameter in parameters { try append(parameter.value) }
    }

    private mutating func append(_ value: PostgresValue) throws(PostgresError) {
        let start = bytes.count
        var format: Int32 = 1
        switch value {
        case .null: format = 0
        case .bool(let isTrue): bytes.append(isTrue ? 1 : 0)
        case .integer(let integer): append(bigEndian: UInt64(bitPattern: integer))
        case .real(let real): append(bigEndian: real.bitPattern)
        case .bytes(let content): bytes += content
        case .timestamp(let date):
            guard let microseconds = PostgresTime.microseconds(of: date) else {
                throw PostgresError(
                    code: .invalidValue, message: "A date is beyond the years 4713 BC to 294276. Correct it.")
            }
            append(bigEndian: UInt64(bitPattern: microseconds))
        case .text(let text):
            format = 0
            var text = text
            let hasNUL = text.withUTF8 { utf8 in
                bytes.append(contentsOf: utf8)
                return utf8.baseAddress.map { memchr($0, 0, utf8.count) != nil } ?? false
            }
            guard !hasNUL else {
                throw PostgresError(
                    code: .invalidValue,
                    message: "A text has a NUL character, which PostgreSQL cannot store. Remove it, or send bytes.")
            }
            bytes.append(0)
        }
        types.append(value.wireType)
        offsets.append(value == .null ? -1 : start)
        lengths.append(Int32(clamping: bytes.count - start))
        formats.append(format)
    }

    private mutating func append(bigEndian number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Lends the arrays of libpq's calls: values, lengths, formats.
    func withPointers<Result>(
        _ body: (
            _ count: Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        let count = offsets.count
        guard count > 0 else { return body(0, nil, nil, nil) }
        return bytes.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { pointers in
                for (index, offset) in offsets.enumerated() {
                    // A value without bytes is no NULL, even if it is the only one: any address will do.
                    let start = bytes.baseAddress ?? UnsafeRawPointer(pointers.baseAddress)
                    pointers.initializeElement(
                        at: index,
                        to: offset < 0 ? nil : start.map { ($0 + offset).assumingMemoryBound(to: CChar.self) })
                }
                return body(Int32(count), UnsafePointer(pointers.baseAddress), lengths, formats)
            }
        }
    }
}
