// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire

@testable import Sync

/// That all agree, and that nothing that was promised to a person is lost.
extension SyncWorld {
    /// The objects and logs at the end, for a person who looks at a failure.
    func describe() -> String {
        let names = place.state.withLock { $0.objects.keys.map(\.text).sorted() }.filter { !$0.hasPrefix("m-") }
        let logs = devices.map { device in
            let logs = MemoryTables(device.storage.state).logs().sorted { $0.key < $1.key }
            return "\(device.name): "
                + logs.map { "\($0.key) \($0.value.base)...\($0.value.head.sequence) limit \($0.value.limit)" }.joined(
                    separator: ", ")
        }
        return (names + logs).joined(separator: "\n")
    }

    func check() throws {
        var graphs: [Hash] = []
        var active: [DeviceID]?
        var first: (name: String, summary: [String])?
        for device in devices {
            let tables = MemoryTables(device.storage.state)
            let replica = try Replica(keys: device.keys, tables)
            if replica.roster.membership.isActive(device.id) {
                let heads = replica.roster.graph.heads
                if graphs.isEmpty { graphs = heads }
                guard graphs == heads else {
                    throw Failure(description: "\(device.name) knows other records of devices")
                }
                active = active ?? replica.roster.membership.active
                guard active == replica.roster.membership.active else {
                    throw Failure(description: "\(device.name) has another group")
                }
                let summary = try device.summary()
                if let first {
                    guard first.summary == summary else {
                        throw Failure(
                            description:
                                "\(first.name) and \(device.name) differ: \(zip(first.summary, summary).first { $0 != $1 }.map { "\($0)" } ?? "\(first.summary.count) and \(summary.count) records")"
                        )
                    }
                } else {
                    first = (device.name, summary)
                }
                guard tables.entries(in: .withoutKey).isEmpty else {
                    throw Failure(description: "\(device.name) cannot read everything")
                }
            }
        }
        guard let first, let member = devices.first(where: { $0.name == first.name }) else {
            throw Failure(description: "nobody is left")
        }
        try checkPromises(
            in: MemoryTables(member.storage.state),
            membership: Replica(keys: member.keys, MemoryTables(member.storage.state)).roster.membership)
    }

    /// Checks that each promised change is there, unless it was erased or its device was removed before.
    private func checkPromises(in tables: MemoryTables, membership: Membership) throws {
        for device in devices {
            // Nobody has to believe a device that was removed, or was added by one that was.
            guard let member = membership.members[device.id] else { continue }
            let last = member.lastSequence ?? .max
            for promise in device.mind.withLock({ $0.promises }) where promise.sequence <= last {
                let record = promise.change.record
                let isErased = record.containers.contains { container in
                    !tables.versions(of: SyncRecordKey(kind: SyncRecordKey.erasure, id: container)).isEmpty
                }
                if record.kind != SyncRecordKey.erasure, isErased { continue }
                for (field, value) in promise.change.fields {
                    let versions = tables.versions(of: record)[field] ?? []
                    let own = versions.filter { $0.stamp.device == device.id }
                    let isThere = own.contains { $0.sequence == promise.sequence && $0.value == value }
                    // A snapshot keeps of each device as many versions as may ever count.
                    let isOutdone =
                        switch field.rule {
                        case .first: own.contains { $0.sequence < promise.sequence }
                        case .last: own.count { $0.sequence > promise.sequence } >= SyncVersion.limit
                        }
                    guard isThere || isOutdone
                    else {
                        throw Failure(
                            description:
                                "what \(device.name) wrote as entry \(promise.sequence) is lost: \(record) \(field) among \(versions.map(\.stamp))"
                        )
                    }
                }
            }
        }
    }
}
