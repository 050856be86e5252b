// SPDX-License-Identifier: MIT

import SyncWire

extension Replica {
    // MARK: Making

    /// A listed snapshot's number is followed up to this distance.
    private static let numberLead: UInt64 = 1 << 20

    /// Makes a snapshot of everything this device has merged; its parts go out with the next round.
    ///
    /// - Returns: The number of parts; 0 if this device cannot make one now: it misses a key or an update for an entry.
    mutating func makeSnapshot(_ tables: some SyncTables) throws -> UInt32 {
        guard roster.membership.isActive(device), try isAllRead(tables), let epoch = roster.writingEpoch,
            let key = roster.ring.keys[epoch]
        else { return 0 }
        let listed = try wholeSnapshots(tables).first?.first?.number ?? 0
        let heads = try snapshotHeads(tables)
        let known = try tables.snapshot?.number ?? 0
        // A listed number is the place's word, which may lead a bit further and not to the end of the numbers.
        let number = max(known, min(listed, known + Self.numberLead)) + 1
        let snapshot = KnownSnapshot(device: device, number: number, heads: heads)
        var parts: UInt32 = 0
        try forEachPart(tables) { _ in parts += 1 }
        var part: UInt32 = 0
        try forEachPart(tables) { content in
            part += 1
            let position = SnapshotPart.Position(
                group: group, device: device, number: snapshot.number, part: part, parts: parts)
            let sealed = try SnapshotPart(content, at: position, epoch: epoch, key: key, signing: keys.signing)
            try tables.setOutgoing(position.name.text, sealed.encoded)
        }
        try tables.set(.snapshot, snapshot.encoded)
        return parts
    }

    private func isAllRead(_ tables: some SyncTables) throws -> Bool {
        try tables.entries(in: .withoutKey).isEmpty && tables.entries(in: .newer).isEmpty
    }

    /// The heads of logs up to which a snapshot has all that they say: what a removed device wrote after its last entry that
    /// counts may count again. Of a log that counts again nothing may be there yet.
    private func snapshotHeads(_ tables: some SyncTables) throws -> [DeviceID: LogHead] {
        var heads: [DeviceID: LogHead] = [:]
        for (device, state) in try tables.logs() {
            let end = min(state.head.sequence, roster.lastSequence(of: device))
            guard end > 0 else { continue }
            // Its hash is gone if all had seen more before the device was removed.
            let last = try tables.entries(of: device, end...end).first.map { LogHead(sequence: end, hash: $0.hash) }
            heads[device] = last ?? state.head
        }
        return heads
    }

    /// The content of a snapshot in parts, the same ones each time within a transaction.
    private func forEachPart(_ tables: some SyncTables, _ body: ([UInt8]) throws -> Void) throws {
        var writer = ByteWriter()
        for (device, head) in try snapshotHeads(tables).sorted(by: { $0.key < $1.key }) {
            SnapshotItem.head(device, head).write(to: &writer)
        }
        var last: SyncRecordKey?
        while case let records = try tables.records(after: last, limit: 500), !records.isEmpty {
            for record in records {
                for change in try kept(record, tables) {
                    var item = ByteWriter()
                    change.write(to: &item)
                    if writer.bytes.count + item.bytes.count > SnapshotPart.contentByteCount, !writer.bytes.isEmpty {
                        try body(writer.bytes)
                        writer = ByteWriter()
                    }
                    writer.write(fixed: item.bytes)
                }
            }
            last = records.last
        }
        if !writer.bytes.isEmpty { try body(writer.bytes) }
    }

    /// The changes of a record that a snapshot keeps, in the order of stamps.
    private func kept(_ record: SyncRecordKey, _ tables: some SyncTables) throws -> [SnapshotItem] {
        var changes: [Entry: [SyncField: [UInt8]]] = [:]
        for (field, versions) in try tables.versions(of: record) {
            // Most fields never change.
            for version in versions.count == 1 ? versions : field.kept(versions) {
                let entry = Entry(stamp: version.stamp, sequence: version.sequence)
                changes[entry, default: [:]][field] = version.value
            }
        }
        let sorted = changes.sorted { ($0.key.stamp, $0.key.sequence) < ($1.key.stamp, $1.key.sequence) }
        return sorted.flatMap { entry, fields in
            // Another device's snapshot may claim more than an entry holds, and each item must fit into an object.
            let isWhole = fields.values.reduce(0) { $0 + $1.count } <= EntryContent.byteLimit
            let parts = isWhole ? [fields] : fields.sorted { $0.key < $1.key }.map { [$0.key: $0.value] }
            return parts.map { SnapshotItem.change(SyncChange(record, $0), entry.stamp, sequence: entry.sequence) }
        }
    }

    private struct Entry: Hashable {
        let stamp: Stamp
        let sequence: UInt64
    }

    /// The newest snapshot that this device knows, unless its maker was removed: such a device could make
    /// another one.
    func usableSnapshot(_ tables: some SyncTables) throws -> KnownSnapshot? {
        guard let known = try tables.snapshot, roster.membership.isActive(known.device) else { return nil }
        return known
    }

    // MARK: Reading

    /// The snapshots of which all parts are listed, those first that were made last. One whose heads this device has
    /// reached is left out, and so are older ones; another one of the same number may have been made of other logs.
    func wholeSnapshots(_ tables: some SyncTables) throws -> [[SnapshotPart.Position]] {
        let known = try usableSnapshot(tables)
        let logs = try tables.logs()
        let isReached =
            known?.heads.allSatisfy { device, head in
                min(head.sequence, roster.lastSequence(of: device)) <= logs[device]?.head.sequence ?? 0
            } ?? false
        var parts: [SnapshotPart.Position: Set<UInt32>] = [:]
        for text in try tables.wanted() {
            guard case .snapshot(let bytes, let number, let part, let count)? = SyncObjectName(text),
                let device = DeviceID(bytes), roster.membership.isActive(device), number >= known?.number ?? 0,
                !isReached || number > known?.number ?? 0 || device != known?.device
            else { continue }
            let whole = SnapshotPart.Position(group: group, device: device, number: number, part: 0, parts: count)
            parts[whole, default: []].insert(part)
        }
        let whole = parts.filter { $0.value.count == Int($0.key.parts) }.keys
        return whole.sorted { ($0.number, $0.device) > ($1.number, $1.device) }.map { snapshot in
            (1...snapshot.parts).map { part in
                SnapshotPart.Position(
                    group: group, device: snapshot.device, number: snapshot.number, part: part, parts: snapshot.parts)
            }
        }
    }

    /// The content of a part; nil without its key, and if its device was removed since the part was listed: another program
    /// of this device may have learned so meanwhile.
    ///
    /// - Throws: ``SyncError`` with the code `invalid` for a part that its device did not make for this position.
    func open(_ bytes: [UInt8], at position: SnapshotPart.Position) throws -> [SnapshotItem]? {
        let part = try SnapshotPart(bytes)
        guard let member = roster.membership.members[position.device],
            part.isSigned(at: position, by: member.keys.signing)
        else { throw SyncError.invalid("the snapshot's signature does not fit") }
        guard member.isActive else { return nil }
        let epochs = roster.ring.epochs(named: part.epoch)
        guard !epochs.isEmpty else { return nil }
        for epoch in epochs {
            guard let key = roster.ring.keys[epoch],
                let content = try? part.open(at: position, epoch: epoch, key: key)
            else { continue }
            return try SnapshotItem.items(of: content, part: position.part)
        }
        throw SyncError.invalid("the snapshot's seal does not fit")
    }

    /// Merges the changes of a part. A part is a set of changes, so it may be merged alone; the heads of the logs are
    /// believed by ``adopt(_:_:)`` once all parts are merged.
    ///
    /// - Parameter heads: Those of the snapshot. What it says of later entries would be in the way of the entries.
    func merge(_ items: [SnapshotItem], upTo heads: [DeviceID: LogHead], _ tables: some SyncTables) throws {
        var clock = try tables.clock
        for case .change(let change, let stamp, let sequence) in items {
            let device = stamp.device
            guard sequence <= min(heads[device]?.sequence ?? 0, roster.lastSequence(of: device)) else { continue }
            clock.observe(stamp)
            try merge(change, stamp, sequence, tables)
        }
        try tables.setClock(clock)
    }

    /// Goes on from the heads of a snapshot that is merged whole.
    func adopt(_ snapshot: KnownSnapshot, _ tables: some SyncTables) throws {
        try learn(snapshot, tables)
        for (device, head) in snapshot.heads {
            var state = try log(of: device, tables)
            // Of a device that was removed earlier, the head may lie after the last entry that counts.
            guard roster.lastSequence(of: device) > 0, head.sequence > state.head.sequence else { continue }
            // An entry without content holds the place and the hash of the last one.
            let stored = StoredEntry(
                sequence: head.sequence, sealed: SealedEntry(epoch: [], box: []), hash: head.hash, state: .merged)
            try tables.insert(stored, of: device)
            (state.head, state.base) = (head, head.sequence)
            state.content = head.sequence
            if device == self.device { state.confirmed = head.sequence }
            try tables.set(state, for: device)
        }
    }

    /// Notes a snapshot at the place, unless another program of this device has made or read a newer one meanwhile: a
    /// number must not be given twice.
    func learn(_ snapshot: KnownSnapshot, _ tables: some SyncTables) throws {
        if let known = try usableSnapshot(tables), known.number > snapshot.number { return }
        try tables.set(.snapshot, snapshot.encoded)
    }

    // MARK: Truncating

    /// The positions up to which all devices have seen each log, as far as this device knows.
    ///
    /// - Parameter oldest: Devices whose last stamp is older do not count: they come back by a snapshot. Milliseconds
    ///   since 1970.
    func seenByAll(since oldest: UInt64, _ tables: some SyncTables) throws -> [DeviceID: UInt64] {
        let counted = try roster.membership.active.filter { try lastStamp(of: $0, tables) >= oldest }
        return try seen(by: counted, tables)
    }

    /// The positions up to which these devices have seen each log.
    func seen(by devices: [DeviceID], _ tables: some SyncTables) throws -> [DeviceID: UInt64] {
        let seen = try acknowledgements(tables)
        var all = try tables.logs().mapValues(\.head.sequence)
        for device in devices where device != self.device {
            for (log, position) in all where log != device { all[log] = min(position, seen[device]?[log] ?? 0) }
        }
        return all
    }

    /// The time of a device's last acknowledgement; the latest there is for one that never made any, so that it counts.
    private func lastStamp(of device: DeviceID, _ tables: some SyncTables) throws -> UInt64 {
        let record = SyncRecordKey(kind: SyncRecordKey.acknowledgement, id: device.bytes)
        let field = SyncField(0, .last)
        return field.ranked(try tables.versions(of: record)[field] ?? []).first?.stamp.milliseconds ?? .max
    }

    /// Removes entries from this device's disk that all devices have seen and a snapshot at the place holds. Those that it
    /// could not read yet stay, and all after them: nothing else here has what they say.
    ///
    /// - Returns: The number of the last entry of its own log that the place need not keep any more.
    func truncate(
        to snapshot: KnownSnapshot, seenByAll seen: [DeviceID: UInt64], _ tables: some SyncTables
    ) throws -> UInt64 {
        var unread: [DeviceID: UInt64] = [:]
        for (device, sequence) in try tables.entries(in: .withoutKey) + tables.entries(in: .newer) {
            unread[device] = min(unread[device] ?? .max, sequence)
        }
        for (device, head) in snapshot.heads {
            var state = try log(of: device, tables)
            let end = min(head.sequence, seen[device] ?? 0, state.head.sequence, (unread[device] ?? .max) - 1)
            guard end > state.base, end > 1 else { continue }
            // The last one stays for its hash.
            try tables.removeEntries(of: device, 1...(end - 1))
            state.base = end
            try tables.set(state, for: device)
        }
        return min(snapshot.heads[device]?.sequence ?? 0, seen[device] ?? 0)
    }
}

/// The newest snapshot that a device knows to be whole and genuine.
struct KnownSnapshot: Sendable, Hashable {
    let device: DeviceID
    let number: UInt64
    let heads: [DeviceID: LogHead]

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(fixed: device.bytes)
        writer.write(number)
        for (device, head) in heads.sorted(by: { $0.key < $1.key }) {
            SnapshotItem.head(device, head).write(to: &writer)
        }
        return writer.bytes
    }

    init(device: DeviceID, number: UInt64, heads: [DeviceID: LogHead]) {
        (self.device, self.number, self.heads) = (device, number, heads)
    }

    init(_ bytes: [UInt8]) throws(SyncError) {
        var reader = ByteReader(bytes)
        guard let device = DeviceID(try reader.fixed(16)) else { throw .invalid("an id has another length") }
        self.device = device
        number = try reader.number()
        var heads: [DeviceID: LogHead] = [:]
        while reader.remaining > 0 {
            // Versions up to the first with this check noted heads of empty logs, which say nothing.
            if case .head(let device, let head) = try SnapshotItem(&reader), head.sequence > 0 { heads[device] = head }
        }
        self.heads = heads
    }
}

extension SyncTables {
    var snapshot: KnownSnapshot? {
        get throws { try value(.snapshot).map { bytes in try KnownSnapshot(bytes) } }
    }
}
