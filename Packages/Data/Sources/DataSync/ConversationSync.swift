// SPDX-License-Identifier: MIT

public import DataLayer
import Domain
import Persistence
public import Sync

/// Hands what changes in the conversations to sync, and stores what other devices changed.
///
/// Both directions may be cut off anywhere: a mark goes after its change is in the log, and the position in the feed of
/// changes is stored with what they change.
public struct ConversationSync: Sendable {
    let database: Database
    private let device: SyncDevice

    private static let batchCount = 200

    /// A sync of a repository's conversations.
    public init(_ repository: SQLiteConversationRepository, _ device: SyncDevice) {
        (database, self.device) = (repository.database, device)
    }

    /// Begins to note changes, and notes everything that is there.
    public func enable() async throws {
        try await database.write { try SyncMarks.enable(on: $0) }
    }

    /// Ends that; the conversations stay.
    public static func disable(_ repository: SQLiteConversationRepository) async throws {
        try await repository.database.write { try SyncMarks.disable(on: $0) }
    }

    // MARK: Out

    /// Hands on what changed here.
    ///
    /// - Parameter now: The machine's clock in milliseconds since 1970.
    public func handOver(now: Int64) async throws {
        var last: Int64 = 0
        while true {
            let after = last
            let batch = try await database.read { connection in
                try SyncMarks.next(Self.batchCount, after: after, on: connection).map { mark in
                    (mark: mark, change: try Self.change(mark, on: connection))
                }
            }
            guard let newest = batch.last?.mark.number else { return }
            last = newest
            var changes: [SyncChange] = []
            var done: [Int64] = []
            for (mark, change) in batch {
                switch change {
                case .waits: continue
                case .nothing: break
                case .changes(let all):
                    for change in all {
                        if let change = try await withoutWhatIsKnown(change) { changes.append(change) }
                    }
                }
                done.append(mark.number)
            }
            if !changes.isEmpty { try await device.write(changes, now: now) }
            let numbers = done
            try await database.write(durability: .normal) { connection in
                try connection.execute("DELETE FROM sync_mark WHERE number IN \(list: numbers)")
            }
        }
    }

    private enum Outgoing: Sendable {
        /// The row is not finished.
        case waits
        case nothing
        case changes([SyncChange])
    }

    private static func change(_ mark: SyncMarks.Mark, on connection: Connection) throws -> Outgoing {
        guard let table = SyncedTable.all.first(where: { $0.kind == mark.kind }),
            let key = table.key(mark.id, in: mark.container)
        else { return .nothing }
        if mark.isDeletion { return .changes([.erasing(key.id)]) }
        let columns = table.columns.filter { mark.field == 0 || mark.field == $0.field }
        let isReady = try connection.first(
            "SELECT \(sql: table.isReady) FROM \(literal: table.name) WHERE id = \(mark.id)", as: Bool.self)
        guard let isReady else { return .nothing }
        guard isReady else { return .waits }
        var fields: [SyncField: [UInt8]] = [:]
        for column in columns {
            let value = try connection.first(
                "SELECT \(literal: column.name) FROM \(literal: table.name) WHERE id = \(mark.id)"
            ) { try $0.values().first ?? .null }
            fields[column.syncField] = ColumnValue.bytes(value ?? .null)
        }
        let files = table.parent == nil ? [] : try AttachmentFields.changes(of: mark.id, key, on: connection)
        return .changes([SyncChange(key, fields)] + files)
    }

    /// The part of a change that the log does not say already; nil if it says everything. A field that never had a value
    /// and has none now is left out.
    private func withoutWhatIsKnown(_ change: SyncChange) async throws -> SyncChange? {
        let record = try await device.record(change.record)
        let fields = change.fields.filter { field, value in
            let isAbsent = field.rule == .last && value == ColumnValue.bytes(.null)
            return record?[field] != value && !(isAbsent && record?[field] == nil)
        }
        let isErasure = change.fields.isEmpty == false && change == .erasing(change.record.id)
        return isErasure ? (record == nil ? change : nil) : fields.isEmpty ? nil : SyncChange(change.record, fields)
    }

    // MARK: In

    /// Stores what others changed.
    ///
    /// - Returns: True if anything is different now.
    public func takeOver() async throws -> Bool {
        var isChanged = false
        while true {
            let start = try await database.read { connection in
                try connection.first("SELECT value FROM sync_state WHERE key = 'taken'", as: Int64.self) ?? 0
            }
            let changes = try await device.changes(after: UInt64(start), limit: Self.batchCount)
            guard let last = changes.last else { return isChanged }
            let batchChanged = try await database.write(durability: .normal) { connection in
                let isDifferent = try IncomingChanges.apply(changes, on: connection)
                try connection.execute(
                    "INSERT OR REPLACE INTO sync_state (key, value) VALUES ('taken', \(Int64(clamping: last.number)))")
                return isDifferent
            }
            isChanged = batchChanged || isChanged
        }
    }
}
