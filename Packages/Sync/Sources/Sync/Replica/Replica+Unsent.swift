// SPDX-License-Identifier: MIT

/// Records that nobody else can have seen when another device erased their container: their owner may keep them under
/// another id. They are noted when the erasure is merged, because the same round sends what waits.
extension Replica {
    /// Notes the records in a container of which the place has no part yet.
    func noteUnsent(in container: [UInt8], _ tables: some SyncTables) throws {
        let own = try log(of: device, tables)
        guard own.head.sequence > own.confirmed else { return }
        let unsent = try tables.records(ofContainer: container).filter { record in
            try tables.versions(of: record).values.joined().allSatisfy { version in
                version.stamp.device == device && version.sequence > own.confirmed
            }
        }
        try tables.keepUnsent(unsent)
    }
}

extension SyncTables {
    /// The most records that are noted.
    private static var limit: Int { 10_000 }

    fileprivate func keepUnsent(_ records: [SyncRecordKey]) throws {
        guard !records.isEmpty else { return }
        let known = try unsent()
        var writer = ByteWriter()
        for record in (known + records.filter { !known.contains($0) }).suffix(Self.limit) {
            writer.write(UInt64(record.kind))
            writer.write(record.id)
        }
        try set(.unsent, writer.bytes)
    }

    /// The records that only this device had when another one erased their container.
    func unsent() throws -> [SyncRecordKey] {
        guard let bytes = try value(.unsent) else { return [] }
        var reader = ByteReader(bytes)
        var records: [SyncRecordKey] = []
        while reader.remaining > 0 {
            records.append(SyncRecordKey(kind: try reader.number(as: UInt32.self), id: try reader.string()))
        }
        return records
    }
}
