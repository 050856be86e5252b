// SPDX-License-Identifier: MIT

import SyncWire

/// The promise of a place to keep objects, as one device knows it.
///
/// It is taken before a listing is asked for: another program of the device may write while the answer is on its way.
struct PlacePromise: Sendable {
    /// The last entry of each log.
    let entries: [DeviceID: UInt64]
    /// The records of devices.
    let records: Set<Hash>
    /// The newest snapshot.
    let snapshot: KnownSnapshot?
}

extension Replica {
    /// The objects that this device knows to be at the place.
    func promised(_ tables: some SyncTables) throws -> PlacePromise {
        let outgoing = try tables.outgoing()
        let logs = try tables.logs()
        let entries = Dictionary(
            uniqueKeysWithValues: logs.map { ($0, $0 == device ? $1.confirmed : $1.head.sequence) })
        let records = roster.graph.records.values.filter { !outgoing.contains($0.name.text) }.map(\.hash)
        let snapshot = try tables.snapshot.flatMap { known in
            outgoing.contains { SyncObjectName($0).map(known.has) ?? false } ? nil : known
        }
        return PlacePromise(entries: entries, records: Set(records), snapshot: snapshot)
    }

    /// Looks in a whole listing for the newest snapshot, and for entries in the midst of logs that neither an object nor
    /// that snapshot holds: the place had them, and a device that comes later would miss them. Own ones go out again.
    func findGaps(
        _ objects: [SyncObject], _ promised: PlacePromise, _ tables: some SyncTables
    ) throws -> [SyncFinding] {
        let known = promised.snapshot
        guard !objects.contains(where: { mayHold($0.name, besides: known) }) else { return [] }
        if let known, !known.heads.isEmpty, !known.isWhole(in: Set(objects.map(\.name))) {
            // Without heads it holds nothing, so a new one is due.
            if try tables.snapshot == known {
                let lost = KnownSnapshot(device: known.device, number: known.number, heads: [:])
                try tables.set(.snapshot, lost.encoded)
            }
            return [SyncFinding(kind: .missing, device: known.device, subject: "the parts of snapshot \(known.number)")]
        }
        var segments: [DeviceID: [ClosedRange<UInt64>]] = [:]
        for case .log(let bytes, let first, let last) in objects.map(\.name) {
            if let device = DeviceID(bytes) { segments[device, default: []].append(first...last) }
        }
        return try promised.entries.sorted { $0.key < $1.key }.compactMap { device, last in
            let last = min(last, roster.lastSequence(of: device))
            var next = (known?.heads[device]?.sequence ?? 0) + 1
            for segment in (segments[device] ?? []).sorted(by: { $0.lowerBound < $1.lowerBound })
            where segment.upperBound >= next {
                guard segment.lowerBound > next else {
                    next = segment.upperBound + 1
                    continue
                }
                guard next <= last else { return nil }
                if device == self.device { try writeAgain(after: next - 1, tables) }
                return SyncFinding(
                    kind: .missing, device: device, subject: "entries \(next) to \(min(last, segment.lowerBound - 1))")
            }
            return nil
        }
    }

    /// True for a snapshot that this device does not know: it may hold anything, and be the reason for what is gone. An
    /// earlier number counts once the maker of the known one was removed.
    func mayHold(_ name: SyncObjectName, besides known: KnownSnapshot?) -> Bool {
        guard case .snapshot(_, let number, _, _) = name else { return false }
        guard let known else { return true }
        return !known.has(name) && (number >= known.number || !roster.membership.isActive(known.device))
    }

    private func writeAgain(after sequence: UInt64, _ tables: some SyncTables) throws {
        var state = try log(of: device, tables)
        state.confirmed = min(state.confirmed, max(sequence, state.base))
        try tables.set(state, for: device)
    }
}

extension KnownSnapshot {
    /// True if the name is that of one of its parts.
    func has(_ name: SyncObjectName) -> Bool {
        if case .snapshot(device.bytes, number, _, _) = name { true } else { false }
    }
}
