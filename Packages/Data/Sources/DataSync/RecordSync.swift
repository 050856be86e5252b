// SPDX-License-Identifier: MIT

public import DataLayer
import Domain
import DurableFiles
import Persistence
public import Sync

/// The databases whose rows all devices of a person have.
public struct SyncedData: Sendable {
    let sources: [any SyncSource]

    /// Databases that the caller opens and closes; those that are nil stay on this device.
    public init(
        conversations: SQLiteConversationRepository, practice: PracticeDatabase? = nil, settings: SyncedSettings? = nil
    ) {
        let all: [(any SyncSource)?] = [
            ConversationSource(database: conversations.database),
            practice.map { PracticeSource(database: $0.database) }, settings.map { SettingSource($0) },
        ]
        sources = all.compactMap(\.self)
    }

    init(_ sources: [any SyncSource]) { self.sources = sources }

    /// Begins to note changes, and notes everything that is there, in databases that do not yet: those of a program that
    /// sets sync up, of an update with a new kind of record, and those that were made anew after damage.
    public func enable() async throws {
        for source in sources {
            let isCurrent = try await source.database.read { connection in
                try SyncMarks.isEnabled(on: connection)
                    && SyncMarks.value(.version, on: connection) == source.version
            }
            if !isCurrent { try await source.database.write { try SyncMarks.enable(source, on: $0) } }
        }
    }

    /// Ends that; the rows stay.
    public func disable() async throws {
        for source in sources { try await source.database.write { try SyncMarks.disable(source, on: $0) } }
    }
}

/// Hands what changes in a person's databases to sync, and stores what other devices changed.
///
/// Both directions may be cut off anywhere: a mark goes after its change is in the log, and the position in the feed of
/// changes is stored with what they change.
public struct RecordSync: Sendable {
    /// The databases.
    public let data: SyncedData
    /// Called before messages go that another device erased: clears what this device made of them. If it throws, they
    /// stay until the next time.
    public var beforeErasing: @Sendable () async throws -> Void = {}
    private let device: SyncDevice
    private let lock: String
    private let patience: Duration

    private static let batchCount = 200

    /// A sync of databases that note their changes.
    ///
    /// - Parameter lock: The path of the file that the programs lock while they hand over.
    public init(_ data: SyncedData, _ device: SyncDevice, lock: String) {
        self.init(data, device, lock: lock, patience: .seconds(60))
    }

    init(_ data: SyncedData, _ device: SyncDevice, lock: String, patience: Duration) {
        (self.data, self.device, self.lock, self.patience) = (data, device, lock, patience)
    }

    // MARK: Out

    /// Hands on what changed here, one program after the other: one that read a value before another program handed on
    /// a newer one would overwrite that on all devices.
    ///
    /// - Parameter now: The machine's clock in milliseconds since 1970.
    public func handOver(now: Int64) async throws {
        guard let held = try await FileLock.wait(for: lock, atMost: patience) else {
            throw DomainError.storage("Another program holds \(lock). End it, then try again.")
        }
        defer { held.release() }
        try await takeLostChangesAnew()
        for source in data.sources { try await handOver(source, now: now) }
    }

    private func handOver(_ source: any SyncSource, now: Int64) async throws {
        var last: Int64 = 0
        while true {
            let after = last
            let batch = try await source.database.read { connection in
                try SyncMarks.next(Self.batchCount, after: after, on: connection).map { mark in
                    (mark: mark, change: try source.change(mark, on: connection))
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
                        if let change = try await withoutWhatIsKnown(change, mark) { changes.append(change) }
                    }
                }
                done.append(mark.number)
            }
            if !changes.isEmpty { try await device.write(changes, now: now) }
            let numbers = done
            try await source.database.write(durability: .normal) { connection in
                try connection.execute("DELETE FROM sync_mark WHERE number IN \(list: numbers)")
            }
        }
    }

    /// The part of a change that the log does not say already; nil if it says everything. A field that never had a value
    /// and has none now is left out, and so is one of a row that did not change if the log has any value.
    private func withoutWhatIsKnown(_ change: SyncChange, _ mark: SyncMarks.Mark) async throws -> SyncChange? {
        let record = try await device.record(change.record)
        let fields = change.fields.filter { field, value in
            if mark.field == SyncMarks.found, record?[field] != nil { return false }
            let isAbsent = field.rule == .last && value == ColumnValue.bytes(.null)
            return record?[field] != value && !(isAbsent && record?[field] == nil)
        }
        let isErasure = change.fields.isEmpty == false && change == .erasing(change.record.id)
        return isErasure ? (record == nil ? change : nil) : fields.isEmpty ? nil : SyncChange(change.record, fields)
    }

    // MARK: Exchange

    /// Exchanges with the place, and stores what others changed. See `SyncDevice.sync(with:now:isWhole:)`.
    ///
    /// Changes that arrived before a failure are stored, too: a place that takes no writes can still be read.
    public func exchange(
        with transport: some SyncTransport, now: @escaping @Sendable () -> Int64, isWhole: Bool
    ) async throws -> ExchangeReport {
        try await takeLostChangesAnew()
        let report: ExchangeReport
        do { report = try await device.sync(with: transport, now: now, isWhole: isWhole) } catch {
            if !(error is CancellationError) { _ = try? await takeOver() }
            throw error
        }
        _ = try await takeOver()
        if isWhole { for source in data.sources { try? await source.database.emptyLog() } }
        return report
    }

    // MARK: In

    /// After a power failure the log may end before changes that are stored here already. It gives their numbers to
    /// others then, so that all are taken over anew. Call it before anything enters the log.
    private func takeLostChangesAnew() async throws {
        for source in data.sources {
            let taken = try await source.database.read { try SyncMarks.value(.taken, on: $0) }
            guard try await !device.hasChange(UInt64(taken)) else { continue }
            try await source.database.write { try SyncMarks.set(.taken, 0, on: $0) }
        }
    }

    /// Stores what others changed.
    ///
    /// - Returns: True if anything is different now.
    public func takeOver() async throws -> Bool {
        var isChanged = false
        var taken: [Int64] = []
        for source in data.sources {
            taken.append(try await source.database.read { try SyncMarks.value(.taken, on: $0) })
        }
        while let start = taken.min() {
            let changes = try await device.changes(after: UInt64(start), limit: Self.batchCount)
            guard let last = changes.last.map({ Int64(clamping: $0.number) }) else { break }
            // Before another file says that they are taken.
            try await device.secureChanges()
            for (index, source) in data.sources.enumerated() where taken[index] < last {
                let position = taken[index]
                let new = changes.filter { Int64(clamping: $0.number) > position }
                let erases = try await source.database.read { try source.erases(new, on: $0) }
                if erases { try await beforeErasing() }
                let isDifferent = try await source.database.write(durability: .normal) { connection in
                    let isDifferent = try source.apply(new, on: connection)
                    try SyncMarks.set(.taken, last, on: connection)
                    return isDifferent
                }
                // A busy log does not stop the exchange: the next whole one empties it.
                if erases { try? await source.database.emptyLog() }
                isChanged = isDifferent || isChanged
                taken[index] = last
            }
        }
        return isChanged
    }
}
