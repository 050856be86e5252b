// SPDX-License-Identifier: MIT

import Digests
import Persistence
import Sync

/// The values of a row's columns as fields.
///
/// A value that is too long for an entry is cut into pieces. The column's own field has their digests, in a form that
/// an earlier program passes over. Each of several long versions finds its own pieces by them.
enum LongValue {
    /// Longer values are cut, and about so many bytes are in one change.
    private static let byteLimit = 2 << 20
    private static let pieceByteCount = 1 << 20
    /// The fields of a column's pieces begin at its number times this.
    private static let stride: UInt32 = 1_000
    /// The kind of a value in pieces, beside those of ``ColumnValue``.
    private static let kind: UInt8 = 5
    private static let digestByteCount = 32

    private static func field(_ column: SyncedTable.Column, _ piece: Int) -> SyncField {
        SyncField(column.field * stride + UInt32(piece), .last)
    }

    /// The changes that give a row these values, each small enough for an entry. Pieces precede their digests.
    static func changes(
        of key: SyncRecordKey, _ values: [(column: SyncedTable.Column, value: SQLValue)]
    ) throws -> [SyncChange] {
        var changes: [SyncChange] = []
        var fields: [SyncField: [UInt8]] = [:]
        var count = 0
        for (column, value) in values {
            var bytes = ColumnValue.bytes(value)
            if bytes.count > byteLimit {
                let pieces = Swift.stride(from: 0, to: bytes.count, by: pieceByteCount).map {
                    Array(bytes[$0..<min($0 + pieceByteCount, bytes.count)])
                }
                guard pieces.count < stride else { continue }
                changes += pieces.enumerated().map { SyncChange(key, [field(column, $0): $1]) }
                bytes = [kind] + (try pieces.flatMap { try MessageDigest.hash($0, .sha256) })
            }
            if count + bytes.count > byteLimit {
                changes.append(SyncChange(key, fields))
                (fields, count) = ([:], 0)
            }
            fields[column.syncField] = bytes
            count += bytes.count
        }
        return changes + [SyncChange(key, fields)]
    }

    /// A column's value; nil if pieces are missing, or for bytes of a form that only a newer program knows.
    static func value(_ bytes: [UInt8], of column: SyncedTable.Column, in record: SyncRecord) -> SQLValue? {
        guard bytes.first == kind else { return ColumnValue.value(bytes) }
        let digests = bytes.dropFirst()
        guard digests.count % digestByteCount == 0, digests.count < digestByteCount * Int(stride) else { return nil }
        var whole: [UInt8] = []
        for piece in 0..<digests.count / digestByteCount {
            let digest = digests.dropFirst(piece * digestByteCount).prefix(digestByteCount)
            let version = record.fields[field(column, piece)]?.first {
                (try? MessageDigest.hash($0.value, .sha256))?.elementsEqual(digest) ?? false
            }
            guard let version else { return nil }
            whole += version.value
        }
        return ColumnValue.value(whole)
    }
}
