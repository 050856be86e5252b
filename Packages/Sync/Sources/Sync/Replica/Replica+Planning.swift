// SPDX-License-Identifier: MIT

import SyncWire

/// Objects that this device writes to the place.
struct OutgoingObject: Sendable, Hashable {
    let name: SyncObjectName
    let bytes: [UInt8]
}

extension Replica {
    /// The most entries, and about the most bytes, of one segment.
    static let segmentEntryLimit = 1_000
    static let segmentByteLimit = 1 << 20

    // MARK: Reading

    /// The most names that are noted: names are the place's word, and cost it nothing. Of logs of devices that no record
    /// names, fewer are.
    static let wantedLimit = 10_000
    static let wantedUnknownLimit = 1_000

    /// Notes which of the listed objects are to be read.
    ///
    /// - Returns: False if some were passed over because there are too many: the place must be listed again.
    func note(_ objects: [SyncObject], _ tables: some SyncTables) throws -> Bool {
        let logs = try tables.logs()
        var known = try tables.wanted()
        var unknownCount = known.count { SyncObjectName($0).map(isUnknownLog) ?? false }
        var isComplete = true
        for object in objects {
            let isWanted: Bool =
                switch object.name {
                case .membership(let hash): Hash(hash).map { roster.graph.records[$0] == nil } ?? false
                case .log(let device, _, let last):
                    DeviceID(device).map {
                        roster.membership.members[$0] == nil
                            || min(last, roster.lastSequence(of: $0)) > logs[$0]?.head.sequence ?? 0
                    } ?? false
                case .snapshot: true
                case .pairing: false
                }
            guard isWanted, !known.contains(object.name.text) else { continue }
            let isUnknown = isUnknownLog(object.name)
            guard known.count < Self.wantedLimit, !isUnknown || unknownCount < Self.wantedUnknownLimit else {
                isComplete = false
                continue
            }
            try tables.setWanted(object.name.text, true)
            known.insert(object.name.text)
            if isUnknown { unknownCount += 1 }
        }
        return isComplete
    }

    /// True for the log of a device that no record names, or not yet.
    private func isUnknownLog(_ name: SyncObjectName) -> Bool {
        guard case .log(let bytes, _, _) = name, let device = DeviceID(bytes) else { return false }
        return roster.membership.members[device] == nil
    }

    /// The number of objects that wait for a record of devices.
    func waitingForRecord(_ tables: some SyncTables) throws -> Int {
        try wanted(tables).count { name in
            if case .membership = name { true } else { isUnknownLog(name) }
        }
    }

    /// The objects to read now, in the order in which they help: records of devices, then logs, each from its start.
    /// Logs that cannot go on yet are left out, and so are snapshots.
    func readable(_ tables: some SyncTables) throws -> [SyncObjectName] {
        let logs = try tables.logs()
        var records: [SyncObjectName] = []
        var segments: [(device: DeviceID, first: UInt64, last: UInt64, name: SyncObjectName)] = []
        for name in try wanted(tables) {
            switch name {
            case .membership: records.append(name)
            case .log(let bytes, let first, let last):
                guard let device = DeviceID(bytes), roster.membership.members[device] != nil else { continue }
                segments.append((device, first, min(last, roster.lastSequence(of: device)), name))
            case .snapshot, .pairing: break
            }
        }
        // Of each log those that follow each other without a gap.
        var ends = logs.mapValues(\.head.sequence)
        segments.sort { ($0.device, $0.first) < ($1.device, $1.first) }
        for segment in segments {
            let end = ends[segment.device] ?? 0
            guard segment.first <= end + 1, segment.last > end else { continue }
            ends[segment.device] = segment.last
            records.append(segment.name)
        }
        return records
    }

    /// True if a snapshot helps: this device has nothing yet, or the place lacks entries that come next.
    func needsSnapshot(_ tables: some SyncTables) throws -> Bool {
        let logs = try tables.logs()
        guard !logs.isEmpty else { return true }
        var firsts: [DeviceID: UInt64] = [:]
        for name in try wanted(tables) {
            guard case .log(let bytes, let first, let last) = name, let device = DeviceID(bytes),
                min(last, roster.lastSequence(of: device)) > logs[device]?.head.sequence ?? 0
            else { continue }
            firsts[device] = min(first, firsts[device] ?? .max)
        }
        return firsts.contains { $0.value > (logs[$0.key]?.head.sequence ?? 0) + 1 }
    }

    private func wanted(_ tables: some SyncTables) throws -> [SyncObjectName] {
        try tables.wanted().sorted().compactMap { SyncObjectName($0) }
    }

    /// Forgets wanted objects that are no longer needed, and says what is missing: entries that others have seen, or that
    /// come before others at the place.
    ///
    /// - Parameters:
    ///   - waiting: Objects that were read and wait for others.
    ///   - read: The names of objects that were read. Others may have been noted meanwhile by another program of this device,
    ///     which reads them.
    func findMissing(
        waiting: Set<SyncObjectName> = [], read: [String] = [], _ tables: some SyncTables
    ) throws -> [SyncFinding] {
        // Another program of this device may have learned meanwhile that it was removed: nothing is read any more.
        guard roster.membership.isActive(device) else { return missingBefore(waiting) }
        let logs = try tables.logs()
        var needed: [DeviceID: UInt64] = [:]
        let snapshot = try tables.snapshot?.number ?? 0
        let hasSnapshot = try usableSnapshot(tables) != nil
        // A whole one of which it has no key yet may hold the start of a log.
        var awaitsSnapshot = try !hasSnapshot && !wholeSnapshots(tables).isEmpty
        let read = Set(read)
        let ends = try ends(logs, with: readable(tables).filter { !read.contains($0.text) })
        for name in try wanted(tables) {
            if case .snapshot(let bytes, let number, _, _) = name {
                if number < snapshot { try tables.setWanted(name.text, false) }
                // So may that of a device that was removed: another device makes a new one.
                if !hasSnapshot, roster.isRemoved(bytes) { awaitsSnapshot = true }
            }
            guard case .log(let bytes, let first, let last) = name, let device = DeviceID(bytes) else { continue }
            let head = logs[device]?.head.sequence ?? 0
            if last <= head {
                try tables.setWanted(name.text, false)
            } else if first > (ends[device] ?? 0) + 1, first <= roster.lastSequence(of: device) {
                needed[device] = max(needed[device] ?? 0, first - 1)
            }
        }
        for (_, seen) in try acknowledgements(tables) {
            for (device, sequence) in seen {
                let counted = min(sequence, roster.lastSequence(of: device))
                if counted > ends[device] ?? 0 { needed[device] = max(needed[device] ?? 0, counted) }
            }
        }
        return needed.sorted { $0.key < $1.key }.compactMap { device, last in
            // Of a device that was removed nothing more is needed.
            guard roster.membership.isActive(device), !awaitsSnapshot || logs[device]?.head.sequence ?? 0 > 0 else {
                return nil
            }
            let first = (ends[device] ?? 0) + 1
            return SyncFinding(kind: .missing, device: device, subject: "entries \(first) to \(last)")
        } + missingBefore(waiting)
    }

    /// The last entries of logs, once these objects are read.
    private func ends(_ logs: [DeviceID: LogState], with names: [SyncObjectName]) -> [DeviceID: UInt64] {
        var ends = logs.mapValues(\.head.sequence)
        for case .log(let bytes, _, let last) in names {
            guard let device = DeviceID(bytes) else { continue }
            ends[device] = max(ends[device] ?? 0, min(last, roster.lastSequence(of: device)))
        }
        return ends
    }

    /// The records of devices that wait for one that the place does not show.
    func missingBefore(_ waiting: Set<SyncObjectName>) -> [SyncFinding] {
        let records = waiting.filter(\.isMembership).map(\.text).sorted()
        return records.map { SyncFinding(kind: .missing, device: nil, subject: "records of devices before \($0)") }
    }

    /// Compares a whole listing with what the place promised to keep. What this device can restore goes out again.
    ///
    /// - Parameter promised: The place's promise before it was listed.
    func checkWhole(
        _ objects: [SyncObject], _ promised: PlacePromise, _ tables: some SyncTables
    ) throws -> [SyncFinding] {
        var findings: [SyncFinding] = []
        // Objects that are not listed any more cannot be read, and must not take the room of others.
        let names = Set(objects.map(\.name.text))
        for name in try tables.wanted() where !names.contains(name) { try tables.setWanted(name, false) }
        var ends: [DeviceID: UInt64] = [:]
        var records: Set<Hash> = []
        for object in objects {
            switch object.name {
            case .log(let bytes, _, let last):
                if let device = DeviceID(bytes) { ends[device] = max(ends[device] ?? 0, last) }
            case .membership(let hash): records.formUnion([Hash(hash)].compactMap(\.self))
            case .snapshot, .pairing: break
            }
        }
        for (device, var state) in try tables.logs().sorted(by: { $0.key < $1.key }) {
            let last = promised.entries[device] ?? 0
            let end = ends[device] ?? 0
            guard end < min(last, roster.lastSequence(of: device)) else { continue }
            findings.append(SyncFinding(kind: .rolledBack, device: device, subject: "to entry \(end) of \(last)"))
            guard device == self.device else { continue }
            state.confirmed = max(end, state.base)
            try tables.set(state, for: device)
        }
        for record in roster.graph.records.values.sorted(by: { $0.hash < $1.hash })
        where !records.contains(record.hash) && promised.records.contains(record.hash) {
            findings.append(SyncFinding(kind: .rolledBack, device: nil, subject: record.name.text))
            try tables.setOutgoing(record.name.text, record.bytes)
        }
        return try findings + findGaps(objects, promised, tables)
    }

    // MARK: Writing

    /// The next object that the place does not have yet, in the order in which they must be written; nil after the last.
    ///
    /// - Parameter refused: Those of which the place has others.
    func nextOutgoing(except refused: Set<SyncObjectName>, _ tables: some SyncTables) throws -> OutgoingObject? {
        let names = try tables.outgoing().compactMap { SyncObjectName($0) }.filter { !refused.contains($0) }
        // A record after its parents: who reads one without the others is told that something is missing.
        let depths = names.count { $0.isMembership } > 1 ? roster.graph.depths() : [:]
        func position(_ name: SyncObjectName) -> (Int, Int, String) {
            guard case .membership(let hash) = name else { return (name.order, 0, name.text) }
            return (name.order, Hash(hash).flatMap { depths[$0] } ?? 0, name.text)
        }
        func object(_ name: SyncObjectName) throws -> OutgoingObject? {
            try tables.outgoing(name.text).map { OutgoingObject(name: name, bytes: $0) }
        }
        if let name = names.filter({ !$0.isSnapshot }).min(by: { position($0) < position($1) }) {
            return try object(name)
        }
        if let segment = try nextSegment(except: refused, tables) { return segment }
        // A snapshot comes last: what it speaks of is there by then, and nobody who heard of it looks for it in vain.
        return try names.min { $0.text < $1.text }.flatMap { try object($0) }
    }

    /// The next entries of this device's log that the place does not have.
    private func nextSegment(except refused: Set<SyncObjectName>, _ tables: some SyncTables) throws -> OutgoingObject? {
        let state = try log(of: device, tables)
        var first = state.confirmed + 1
        for case .log(_, _, let last) in refused { first = max(first, last + 1) }
        let end = min(state.head.sequence, roster.lastSequence(of: device))
        guard first <= end else { return nil }
        var entries: [StoredEntry] = []
        var count = 0
        for sequence in first...min(end, first + UInt64(Self.segmentEntryLimit) - 1) {
            guard let entry = try tables.entries(of: device, sequence...sequence).first else { break }
            count += entry.sealed.box.count + LogSegment.entryOverhead
            if count > Self.segmentByteLimit, !entries.isEmpty { break }
            entries.append(entry)
        }
        return try entries.last.map { try segment(entries, end: $0) }
    }

    func segment(_ entries: [StoredEntry], end: StoredEntry) throws -> OutgoingObject {
        let head = LogHead(sequence: end.sequence, hash: end.hash)
        let segment = LogSegment(
            device: device, first: end.sequence + 1 - UInt64(entries.count), entries: entries.map(\.sealed),
            signature: try Crypto.sign(.head, head.message(group: group, device: device), with: keys.signing))
        return OutgoingObject(
            name: .log(device: device.bytes, first: segment.first, last: segment.last), bytes: segment.encoded)
    }

    /// Notes that the place promised to keep an object.
    func confirm(_ name: SyncObjectName, _ tables: some SyncTables) throws {
        guard case .log(device.bytes, _, let last) = name else { return try tables.setOutgoing(name.text, nil) }
        var state = try log(of: device, tables)
        state.confirmed = max(state.confirmed, min(last, state.head.sequence))
        try tables.set(state, for: device)
    }

    // MARK: What was seen

    /// Says what this device has seen, unless it said so before or there is nothing new.
    ///
    /// - Returns: True if an entry was written.
    mutating func acknowledge(now: Int64, _ tables: some SyncTables) throws -> Bool {
        guard roster.membership.isActive(device) else { return false }
        let logs = try tables.logs().filter { $0.key != device && $0.value.head.sequence > 0 }
        let said = try tables.value(.acknowledged).map(Self.positions) ?? [:]
        guard logs.contains(where: { $0.value.content > said[$0.key] ?? 0 }) else { return false }
        var writer = ByteWriter()
        writer.write(count: logs.count)
        for (device, state) in logs.sorted(by: { $0.key < $1.key }) {
            writer.write(fixed: device.bytes)
            writer.write(state.head.sequence)
        }
        let record = SyncRecordKey(kind: SyncRecordKey.acknowledgement, id: device.bytes)
        try write([SyncChange(record, [SyncField(0, .last): writer.bytes])], now: now, tables)
        try tables.set(.acknowledged, writer.bytes)
        return true
    }

    /// The positions that each device says it has seen.
    func acknowledgements(_ tables: some SyncTables) throws -> [DeviceID: [DeviceID: UInt64]] {
        var seen: [DeviceID: [DeviceID: UInt64]] = [:]
        for device in roster.membership.members.keys {
            let record = SyncRecordKey(kind: SyncRecordKey.acknowledgement, id: device.bytes)
            let field = SyncField(0, .last)
            guard let bytes = field.ranked(try tables.versions(of: record)[field] ?? []).first?.value else { continue }
            seen[device] = (try? Self.positions(bytes)) ?? [:]
        }
        return seen
    }

    private static func positions(_ bytes: [UInt8]) throws -> [DeviceID: UInt64] {
        var reader = ByteReader(bytes)
        let positions = try reader.positions()
        try reader.finish()
        return positions
    }

    /// Makes a new epoch if somebody lacks a key that this device has.
    ///
    /// - Returns: True if a record was written.
    mutating func rekeyIfNeeded(_ tables: some SyncTables) throws -> Bool {
        guard roster.membership.isActive(device), roster.needsRekeying else { return false }
        try change(.rekeying, tables)
        return true
    }
}

extension Roster {
    /// The last entry of a device that counts: 0 for one that does not belong to the group, `UInt64.max` for one that
    /// does.
    func lastSequence(of device: DeviceID) -> UInt64 {
        membership.members[device].map { $0.lastSequence ?? .max } ?? 0
    }

    /// True for the id of a device that belonged to the group and was removed.
    func isRemoved(_ bytes: [UInt8]) -> Bool {
        DeviceID(bytes).flatMap { membership.members[$0] }.map { !$0.isActive } ?? false
    }
}

extension SyncObjectName {
    /// True for a record of the chain of devices.
    package var isMembership: Bool {
        if case .membership = self { true } else { false }
    }

    var isSnapshot: Bool {
        if case .snapshot = self { true } else { false }
    }

    /// Records of devices come before the entries that need their keys.
    fileprivate var order: Int {
        switch self {
        case .membership: 0
        case .pairing: 1
        case .log: 2
        case .snapshot: 3
        }
    }
}
