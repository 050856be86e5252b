// SPDX-License-Identifier: MIT

/// The content of an entry: changes that were made together, with one stamp.
struct EntryContent: Sendable, Hashable {
    let stamp: Stamp
    /// In the order of their records, each record once.
    let changes: [SyncChange]

    static let version: UInt64 = 1
    /// The most bytes of an entry's content; more changes are several entries.
    static let byteLimit = 3 << 20

    init(stamp: Stamp, changes: [SyncChange]) {
        self.stamp = stamp
        self.changes = changes.sorted { $0.record < $1.record }
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(Self.version)
        writer.write(stamp.milliseconds)
        writer.write(UInt64(stamp.counter))
        writer.write(count: changes.count)
        for change in changes { writer.write(change) }
        return writer.bytes
    }

    /// Reads an entry's content.
    ///
    /// - Throws: ``SyncError`` with the code `newer` for a later version's.
    init(_ bytes: [UInt8], device: DeviceID) throws(SyncError) {
        var reader = ByteReader(bytes)
        guard try reader.number() == Self.version else {
            throw SyncError(code: .newer, message: "A newer Parley wrote this. Update this one to see it.")
        }
        guard bytes.count <= Self.byteLimit else { throw .invalid("an entry is too long") }
        let milliseconds = try reader.number()
        stamp = Stamp(milliseconds: milliseconds, counter: try reader.number(as: UInt32.self), device: device)
        guard milliseconds < Stamp.millisecondLimit else { throw .invalid("a stamp is of the year 2200 or later") }
        var changes: [SyncChange] = []
        for _ in 0..<(try reader.count(ofItemsOf: 3)) {
            let change = try SyncChange(&reader)
            guard changes.last.map({ $0.record < change.record }) ?? true else {
                throw .invalid("records out of order")
            }
            changes.append(change)
        }
        try reader.finish()
        self.changes = changes
    }
}

extension ByteWriter {
    mutating func write(_ change: SyncChange) {
        write(UInt64(change.record.kind))
        write(change.record.id)
        write(change.fields)
    }

    mutating func write(_ fields: [SyncField: [UInt8]]) {
        write(count: fields.count)
        for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
            write(UInt64(field.tag))
            write(value)
        }
    }
}

extension ByteReader {
    /// Values by field, in the order of the tags.
    mutating func fields() throws(SyncError) -> [SyncField: [UInt8]] {
        var fields: [SyncField: [UInt8]] = [:]
        var last: UInt32?
        for _ in 0..<(try count(ofItemsOf: 2)) {
            let tag = try number(as: UInt32.self)
            guard last.map({ $0 < tag }) ?? true else { throw .invalid("fields out of order") }
            last = tag
            fields[SyncField(tag: tag)] = try string()
        }
        return fields
    }
}

extension SyncChange {
    init(_ reader: inout ByteReader) throws(SyncError) {
        let kind = try reader.number(as: UInt32.self)
        let id = try reader.string()
        guard (1...SyncRecordKey.idByteLimit).contains(id.count) else { throw .invalid("an id has a wrong length") }
        self.init(SyncRecordKey(kind: kind, id: id), try reader.fields())
    }
}
