// SPDX-License-Identifier: MIT

import Persistence
import Sync

/// The files of a message as fields of its record: a file may be larger than an entry, so it is cut into pieces.
enum AttachmentFields {
    private static let pieceByteCount = 1 << 20
    /// The fields of a file begin at its position, from 1 on, times this: the name with the number of pieces, then the
    /// pieces.
    private static let stride = 1_000

    private static func field(_ position: Int, _ piece: Int) -> SyncField {
        SyncField(UInt32((position + 1) * stride + piece), .first)
    }

    /// The changes that say which files a message has, each small enough for an entry.
    static func changes(of message: String, _ key: SyncRecordKey, on connection: Connection) throws -> [SyncChange] {
        let files = try connection.query(
            "SELECT name, bytes FROM attachment WHERE message = \(message) ORDER BY number"
        ) { (name: try $0["name", as: String.self], bytes: try $0["bytes", as: [UInt8].self]) }
        var changes: [SyncChange] = []
        for (position, file) in files.enumerated() {
            let starts = Array(Swift.stride(from: 0, to: file.bytes.count, by: pieceByteCount))
            guard starts.count < stride else { continue }
            let count = [UInt8(truncatingIfNeeded: starts.count >> 8), UInt8(truncatingIfNeeded: starts.count)]
            changes.append(SyncChange(key, [field(position, 0): count + Array(file.name.utf8)]))
            for (piece, start) in starts.enumerated() {
                let bytes = Array(file.bytes[start..<min(start + pieceByteCount, file.bytes.count)])
                changes.append(SyncChange(key, [field(position, piece + 1): bytes]))
            }
        }
        return changes
    }

    /// Stores the files of a message that are whole and not stored yet, in their order.
    ///
    /// - Returns: True if there was one.
    static func store(_ record: SyncRecord, of message: String, on connection: WritableConnection) throws -> Bool {
        guard try connection.first("SELECT 1 FROM message WHERE id = \(message)", as: Int.self) != nil else {
            return false
        }
        var position =
            try connection.first("SELECT count(*) FROM attachment WHERE message = \(message)", as: Int.self) ?? 0
        let start = position
        while let head = record[field(position, 0)], head.count >= 2 {
            let pieces = (0..<(Int(head[0]) << 8 | Int(head[1]))).map { record[field(position, $0 + 1)] }
            guard !pieces.contains(nil) else { break }
            let (name, bytes) = (String(decoding: head[2...], as: UTF8.self), pieces.flatMap { $0 ?? [] })
            try connection.execute(
                "INSERT INTO attachment (message, name, bytes) VALUES (\(message), \(name), \(bytes))")
            position += 1
        }
        return position > start
    }
}
