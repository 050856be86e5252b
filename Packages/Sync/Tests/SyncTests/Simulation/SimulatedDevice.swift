// SPDX-License-Identifier: MIT

import Concurrency

@testable import Sync

/// A device of the simulation: its disk, its keys, its clock, and what it promised to a person.
final class SimulatedDevice: Sendable {
    /// A change that was acknowledged to the person.
    struct Promise: Hashable {
        let change: SyncChange
        let sequence: UInt64
    }

    struct Mind {
        var clock: Int64
        var promises: [Promise] = []
        var isRevoked = false
        var isWhole = true
        /// The number of power failures.
        var crashes = 0
    }

    let name: String
    let keys: SecretKeys
    let id: DeviceID
    let storage: MemoryStorage
    let mind: Guarded<Mind>
    /// The running program; another one after each crash.
    let running: Guarded<StoredReplica>

    convenience init(name: String, clock: Int64) throws {
        try self.init(name: name, keys: SecretKeys(), storage: MemoryStorage(), clock: clock)
    }

    init(name: String, keys: SecretKeys, storage: MemoryStorage, clock: Int64) throws {
        (self.name, self.keys, self.storage) = (name, keys, storage)
        id = try keys.publicKeys.device
        mind = Guarded(Mind(clock: clock))
        running = Guarded(try StoredReplica(storage: storage, keys: keys))
    }

    var replica: StoredReplica { running.withLock { $0 } }

    func write(_ changes: [SyncChange]) async throws {
        let now = mind.withLock { $0.clock }
        let sequence = try await replica.write { replica, tables in
            try replica.write(changes, now: now, tables)
            return try tables.logs()[replica.device]?.head.sequence ?? 0
        }
        mind.withLock { mind in
            for change in changes { mind.promises.append(Promise(change: change, sequence: sequence)) }
        }
    }

    func crash(_ generator: inout SplitMix64) throws {
        storage.failPower(&generator)
        let replica = try StoredReplica(storage: storage, keys: keys)
        running.withLock { $0 = replica }
        mind.withLock { mind in
            mind.isWhole = true
            mind.crashes += 1
        }
    }

    func round(
        _ place: some SyncTransport, isWhole: Bool, silence: UInt64 = 90 * 86_400_000
    ) async throws -> SyncRound.Outcome {
        let now = mind.withLock { $0.clock }
        let round = SyncRound(
            replica: replica, transport: place, now: { now }, isWhole: isWhole || mind.withLock { $0.isWhole },
            acknowledges: true, policy: SyncPolicy(snapshotEntryCount: 12, segmentCount: 5, silence: silence))
        let outcome = try await round()
        mind.withLock { $0.isWhole = false }
        return outcome
    }

    /// The state on which all devices must agree.
    func summary() throws -> [String] {
        let tables = MemoryTables(storage.state)
        let erased = Set(tables.state.fields.keys.filter { $0.kind == SyncRecordKey.erasure }.map(\.id))
        let records = tables.records(after: nil, limit: .max).filter { record in
            record.kind == SyncRecordKey.erasure
                || record.kind > SyncRecordKey.acknowledgement && erased.isDisjoint(with: record.containers)
        }
        return records.map {
            record in
            let fields = tables.versions(of: record).sorted { $0.key < $1.key }.map { field, versions in
                "\(field.tag)="
                    + field.ranked(versions).map {
                        "\($0.stamp.milliseconds).\($0.stamp.counter)@\($0.stamp.device):\($0.value)"
                    }.joined(separator: ",")
            }
            return "\(record.kind)/\(record.id): " + fields.joined(separator: " ")
        }
    }
}
