// SPDX-License-Identifier: MIT

@testable import Sync

/// The tables of a device in memory.
final class MemoryTables: SyncTables {
    struct State {
        struct Number: Hashable {
            let device: DeviceID
            let sequence: UInt64
        }

        var settings: [SyncSetting: [UInt8]] = [:]
        var records: [Hash: [UInt8]] = [:]
        var logs: [DeviceID: LogState] = [:]
        var entries: [DeviceID: [UInt64: StoredEntry]] = [:]
        var fields: [SyncRecordKey: [SyncField: Set<SyncVersion>]] = [:]
        var changed: [SyncRecordKey: UInt64] = [:]
        var changes: UInt64 = 0
        var wanted: Set<String> = []
        var outgoing: [String: [UInt8]] = [:]
    }

    var state: State

    init(_ state: State) { self.state = state }

    func value(_ key: SyncSetting) -> [UInt8]? { state.settings[key] }
    func set(_ key: SyncSetting, _ value: [UInt8]?) { state.settings[key] = value }
    func membershipRecords() -> [[UInt8]] { Array(state.records.values) }
    func insertMembership(_ bytes: [UInt8], hash: Hash) { state.records[hash] = state.records[hash] ?? bytes }
    func logs() -> [DeviceID: LogState] { state.logs }
    func set(_ log: LogState, for device: DeviceID) { state.logs[device] = log }

    func entries(of device: DeviceID, _ range: ClosedRange<UInt64>) -> [StoredEntry] {
        let entries = state.entries[device] ?? [:]
        if range.upperBound - range.lowerBound < UInt64(entries.count) { return range.compactMap { entries[$0] } }
        return entries.values.filter { range.contains($0.sequence) }.sorted { $0.sequence < $1.sequence }
    }

    func insert(_ entry: StoredEntry, of device: DeviceID) {
        state.entries[device, default: [:]][entry.sequence] = entry
    }

    func removeEntries(of device: DeviceID, _ range: ClosedRange<UInt64>) {
        state.entries[device] = state.entries[device]?.filter { !range.contains($0.key) }
    }

    func entries(in wanted: StoredEntry.State) -> [(device: DeviceID, sequence: UInt64)] {
        state.entries.flatMap { device, entries in
            entries.values.filter { $0.state == wanted }.map { (device, $0.sequence) }
        }.sorted { ($0.device, $0.sequence) < ($1.device, $1.sequence) }
    }

    func set(_ new: StoredEntry.State, of device: DeviceID, _ sequence: UInt64) {
        state.entries[device]?[sequence]?.state = new
    }

    func insert(_ change: SyncChange, _ stamp: Stamp, sequence: UInt64) -> Bool {
        var isNew = false
        for (field, value) in change.fields {
            let known = state.fields[change.record]?[field] ?? []
            if known.contains(where: { $0.stamp.device == stamp.device && $0.sequence == sequence }) { continue }
            let version = SyncVersion(stamp: stamp, sequence: sequence, value: value)
            state.fields[change.record, default: [:]][field, default: []].insert(version)
            isNew = true
        }
        return isNew
    }

    func versions(of record: SyncRecordKey) -> [SyncField: [SyncVersion]] {
        state.fields[record]?.mapValues(Array.init) ?? [:]
    }

    func removeVersions(of device: DeviceID, after sequence: UInt64) -> [SyncRecordKey] {
        var changed: [SyncRecordKey] = []
        for (record, fields) in state.fields {
            let kept = fields.mapValues { versions in
                versions.filter { $0.stamp.device != device || $0.sequence <= sequence }
            }.filter { !$0.value.isEmpty }
            guard kept != fields else { continue }
            changed.append(record)
            state.fields[record] = kept.isEmpty ? nil : kept
        }
        return changed.sorted()
    }

    func erasedContainers() -> [[UInt8]] {
        let erased = state.fields.keys.filter { $0.kind == SyncRecordKey.erasure }.map(\.id)
        return erased.filter { id in
            state.fields.keys.contains { $0.kind > SyncRecordKey.acknowledgement && $0.id.starts(with: id) }
        }
    }

    func records(ofContainer container: [UInt8]) -> [SyncRecordKey] {
        state.fields.keys.filter { $0.kind > SyncRecordKey.acknowledgement && $0.id.starts(with: container) }.sorted()
    }

    func removeVersions(ofContainer container: [UInt8]) {
        for record in state.fields.keys
        where record.kind > SyncRecordKey.acknowledgement && record.id.starts(with: container) {
            state.fields[record] = nil
        }
    }

    func records(after record: SyncRecordKey?, limit: Int) -> [SyncRecordKey] {
        Array(state.fields.keys.filter { key in record.map { $0 < key } ?? true }.sorted().prefix(limit))
    }

    func markChanged(_ record: SyncRecordKey) {
        state.changes += 1
        state.changed[record] = state.changes
    }

    func changed(after number: UInt64, limit: Int) -> [(number: UInt64, record: SyncRecordKey)] {
        let new = state.changed.filter { $0.value > number }.map { (number: $0.value, record: $0.key) }
        return Array(new.sorted { $0.number < $1.number }.prefix(limit))
    }

    func wanted() -> Set<String> { state.wanted }

    func setWanted(_ name: String, _ isWanted: Bool) {
        if isWanted { state.wanted.insert(name) } else { state.wanted.remove(name) }
    }

    func outgoing() -> Set<String> { Set(state.outgoing.keys) }
    func outgoing(_ name: String) -> [UInt8]? { state.outgoing[name] }
    func setOutgoing(_ name: String, _ bytes: [UInt8]?) { state.outgoing[name] = bytes }
}
