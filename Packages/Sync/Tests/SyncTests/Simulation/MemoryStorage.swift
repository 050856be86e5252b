// SPDX-License-Identifier: MIT

import Concurrency

@testable import Sync

/// A device's disk in memory, with the transactions that a power failure may take.
final class MemoryStorage: SyncStorage {
    private struct Disk {
        /// The states since the last durable one, which is the first.
        var states = [MemoryTables.State()]
        var isFull = false
    }

    struct DiskFull: Error {}

    private let disk: Guarded<Disk>

    init(_ state: MemoryTables.State = MemoryTables.State()) { disk = Guarded(Disk(states: [state])) }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any SyncTables) throws -> Value) async throws -> Value {
        try body(MemoryTables(state))
    }

    func write<Value: Sendable>(
        isDurable: Bool, _ body: @escaping @Sendable (any SyncTables) throws -> Value
    ) async throws -> Value {
        let tables = MemoryTables(state)
        let value = try body(tables)
        try disk.withLock { disk in
            guard !disk.isFull else { throw DiskFull() }
            disk.states.append(tables.state)
            if isDurable { disk.states.removeFirst(disk.states.count - 1) }
        }
        return value
    }

    func emptyLog() async {}

    var state: MemoryTables.State { disk.withLock { $0.states[$0.states.count - 1] } }

    func setFull(_ isFull: Bool) { disk.withLock { $0.isFull = isFull } }

    /// Loses the transactions after some point that is not before the last durable one.
    func failPower(_ generator: inout SplitMix64) {
        let kept = Int.random(in: 1...disk.withLock { $0.states.count }, using: &generator)
        disk.withLock { $0.states = [$0.states[kept - 1]] }
    }
}
