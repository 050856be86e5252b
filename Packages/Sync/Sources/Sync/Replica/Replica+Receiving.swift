// SPDX-License-Identifier: MIT

import SyncWire

extension Replica {
    /// What became of an object that was read.
    enum Reception: Sendable, Hashable {
        /// It is taken in, or was known.
        case done
        /// It cannot be judged before another object is there.
        case waiting
        /// It is not what its name says. It is not read again.
        case rejected(SyncFinding)
    }

    /// Takes an object of the place in.
    ///
    /// - Throws: ``SyncError`` with the code `newer` for an object that only a newer program can read.
    mutating func receive(
        _ name: SyncObjectName, _ bytes: [UInt8], _ tables: some SyncTables
    ) throws -> Reception {
        try refresh(tables)
        do {
            switch name {
            case .membership(let hash): return try receive(record: bytes, hash: hash, name, tables)
            case .log: return try receive(try LogSegment(bytes), name, tables)
            case .snapshot, .pairing: return .done
            }
        } catch let error as SyncError where error.code == .invalid {
            return .rejected(SyncFinding(kind: .forged, device: nil, subject: name.text))
        }
    }

    // MARK: Records of devices

    private mutating func receive(
        record bytes: [UInt8], hash: [UInt8], _ name: SyncObjectName, _ tables: some SyncTables
    ) throws -> Reception {
        let record = try MembershipRecord(bytes)
        guard record.hash.bytes == hash else {
            return .rejected(SyncFinding(kind: .misnamed, device: nil, subject: name.text))
        }
        // A record that waits for its parents is not stored: it is read again when they are there.
        if roster.graph.records[record.hash] == nil {
            var graph = roster.graph
            _ = try graph.insert(record)
            guard graph.records[record.hash] != nil else { return .waiting }
        }
        try take(record, tables)
        return .done
    }

    /// Believes a record, and does what follows from it: logs are cut where a device was revoked, entries are read for
    /// which there is a key now.
    mutating func take(_ record: MembershipRecord, _ tables: some SyncTables) throws {
        guard try roster.insert(record) else { return }
        try Self.store(record, tables)
        try counted(tables)
        try cutRevokedLogs(tables)
        try readAgain(.withoutKey, tables)
    }

    /// Removes what revoked devices wrote after their last entry that counts.
    private mutating func cutRevokedLogs(_ tables: some SyncTables) throws {
        for (id, member) in roster.membership.members {
            guard let last = member.lastSequence, var state = try tables.logs()[id] else { continue }
            // A snapshot goes no further than what all devices had seen, so a revocation does not either.
            let end = max(last, state.base)
            guard state.head.sequence > end, let head = try head(at: end, of: id, state, tables) else { continue }
            try tables.removeEntries(of: id, (end + 1)...state.head.sequence)
            state.head = head
            state.content = min(state.content, end)
            try tables.set(state, for: id)
            // The place listed them before, and they count again if the revocation does not.
            try tables.set(.cursor, nil)
            let records = try tables.removeVersions(of: id, after: end)
            for record in records { try tables.markChanged(record) }
            if records.contains(where: { $0.kind == SyncRecordKey.erasure }) { try mergeAgain(tables) }
        }
    }

    /// Merges all entries once more, after a container turned out not to be erased.
    private mutating func mergeAgain(_ tables: some SyncTables) throws {
        for (device, state) in try tables.logs() where state.head.sequence > state.base {
            for stored in try tables.entries(of: device, (state.base + 1)...state.head.sequence)
            where stored.state == .merged {
                if let content = try read(stored.sealed, at: stored.sequence, of: device).value {
                    try merge(content, at: stored.sequence, tables)
                }
            }
        }
    }

    // MARK: Logs

    private mutating func receive(
        _ segment: LogSegment, _ name: SyncObjectName, _ tables: some SyncTables
    ) throws -> Reception {
        guard case .log(segment.device.bytes, segment.first, segment.last) = name else {
            return .rejected(SyncFinding(kind: .misnamed, device: segment.device, subject: name.text))
        }
        guard let member = roster.membership.members[segment.device] else { return .waiting }
        var state = try log(of: segment.device, tables)
        let limit = member.lastSequence ?? .max
        guard segment.first <= state.head.sequence + 1 else {
            return segment.first > limit ? .done : .waiting
        }
        var heads: [LogHead] = []
        var head = state.head
        if segment.last <= head.sequence || segment.first <= head.sequence {
            // Known entries must be the known ones: the check starts where the segment does, if that is still stored.
            guard let start = try self.head(before: segment.first, of: segment.device, state, tables) else {
                return segment.last <= head.sequence ? .done : .waiting
            }
            head = start
        }
        for entry in segment.entries {
            head = try head.appending(entry)
            heads.append(head)
        }
        let isSigned = Crypto.isValid(
            .head, segment.signature, of: head.message(group: group, device: segment.device), by: member.keys.signing)
        guard isSigned else {
            return .rejected(SyncFinding(kind: .forged, device: segment.device, subject: name.text))
        }
        let known = heads.lastIndex { $0.sequence <= state.head.sequence }
        if let known, let stored = try self.head(at: heads[known].sequence, of: segment.device, state, tables),
            stored != heads[known]
        {
            // Both are signed by the device.
            return .rejected(SyncFinding(kind: .forked, device: segment.device, subject: name.text))
        }
        for (entry, head) in zip(segment.entries, heads)
        where head.sequence > state.head.sequence && head.sequence <= limit {
            state.head = head
            let content = try read(entry, at: head.sequence, of: segment.device)
            let stored = StoredEntry(
                sequence: head.sequence, sealed: entry, hash: head.hash, state: content.state)
            try tables.insert(stored, of: segment.device)
            if content.value?.saysMoreThanSeen ?? true { state.content = head.sequence }
            if let content = content.value { try merge(content, at: head.sequence, tables) }
        }
        // What this device finds of its own at the place is there: its home was set back to an earlier state.
        if segment.device == device { state.confirmed = max(state.confirmed, min(segment.last, state.head.sequence)) }
        try tables.set(state, for: segment.device)
        return .done
    }

    /// The head after an entry; nil if the entry came with a snapshot.
    private func head(
        at sequence: UInt64, of device: DeviceID, _ state: LogState, _ tables: some SyncTables
    ) throws -> LogHead? {
        if sequence == 0 { return try .start(group: group, device: device) }
        if sequence == state.head.sequence { return state.head }
        guard sequence <= state.head.sequence else { return nil }
        return try tables.entries(of: device, sequence...sequence).first.map {
            LogHead(sequence: sequence, hash: $0.hash)
        }
    }

    private func head(
        before sequence: UInt64, of device: DeviceID, _ state: LogState, _ tables: some SyncTables
    ) throws -> LogHead? {
        try head(at: sequence - 1, of: device, state, tables)
    }

    private mutating func read(
        _ entry: SealedEntry, at sequence: UInt64, of device: DeviceID
    ) throws -> (value: EntryContent?, state: StoredEntry.State) {
        guard let cipher = try roster.cipher(of: device, epoch: entry.epoch) else { return (nil, .withoutKey) }
        do throws(SyncError) {
            return (try cipher.open(entry.box, sequence: sequence, device: device), .merged)
        } catch {
            return (nil, error.code == .newer ? .newer : .invalid)
        }
    }

    /// Reads the entries in a state once more; after an update, or with new keys.
    mutating func readAgain(_ state: StoredEntry.State, _ tables: some SyncTables) throws {
        for (device, sequence) in try tables.entries(in: state) {
            guard let stored = try tables.entries(of: device, sequence...sequence).first else { continue }
            let content = try read(stored.sealed, at: sequence, of: device)
            guard content.state != state else { continue }
            try tables.set(content.state, of: device, sequence)
            if let content = content.value { try merge(content, at: sequence, tables) }
        }
    }

    // MARK: Merging

    func merge(_ content: EntryContent, at sequence: UInt64, _ tables: some SyncTables) throws {
        var clock = try tables.clock
        clock.observe(content.stamp)
        try tables.setClock(clock)
        for change in content.changes where try counts(change, by: content.stamp.device, tables) {
            var isNew = false
            for (field, value) in change.fields {
                let version = SyncVersion(stamp: content.stamp, sequence: sequence, value: value)
                if try tables.insert(version, change.record, field) { isNew = true }
            }
            guard isNew else { continue }
            if change.record.kind == SyncRecordKey.erasure {
                try tables.removeVersions(ofContainer: change.record.id)
            }
            try tables.markChanged(change.record)
        }
    }

    private func counts(_ change: SyncChange, by device: DeviceID, _ tables: some SyncTables) throws -> Bool {
        switch change.record.kind {
        case SyncRecordKey.acknowledgement: return change.record.id == device.bytes
        case SyncRecordKey.erasure: return change.record.container == change.record.id
        default:
            guard let container = change.record.container else { return true }
            return try tables.versions(of: SyncRecordKey(kind: SyncRecordKey.erasure, id: container)).isEmpty
        }
    }
}
