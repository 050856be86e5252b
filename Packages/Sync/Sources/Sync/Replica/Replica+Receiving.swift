// SPDX-License-Identifier: MIT

import SyncWire

extension Replica {
    /// The outcome of reading an object.
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
        try applyLimits(tables)
        try readAgain(.withoutKey, tables)
        try readAgain(.refused, tables)
        if roster.ring.isAmbiguous { try readAgain(.invalid, tables) }
    }

    /// Takes back what removed devices wrote after their last entry that counts, and takes in what counts again because
    /// the one that removed them was removed itself.
    private func applyLimits(_ tables: some SyncTables) throws {
        for (id, var state) in try tables.logs() {
            let limit = roster.lastSequence(of: id)
            guard limit != state.limit else { continue }
            let earlier = state.limit
            state.limit = limit
            // The place listed what counts again, and what is after the limit never mattered.
            try tables.set(.cursor, nil)
            if limit > earlier, earlier <= state.base, state.base > 0, id != device {
                // Entries that came with a snapshot are not stored here, so the log is read anew.
                try tables.removeEntries(of: id, 1...state.head.sequence)
                (state.head, state.base, state.content) = (try .start(group: group, device: id), 0, 0)
            }
            try tables.set(state, for: id)
            guard limit < earlier else { continue }
            for record in try tables.removeVersions(of: id, after: limit) { try tables.markChanged(record) }
            guard state.head.sequence > max(limit, state.base) else { continue }
            for sequence in (max(limit, state.base) + 1)...state.head.sequence {
                try tables.set(.refused, of: id, sequence)
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
        guard segment.first <= limit else { return .done }
        guard segment.first <= state.head.sequence + 1 else { return .waiting }
        guard segment.last > state.base else { return .done }
        // Known entries must be the same ones. The check starts at the segment's start, or after the entries that are gone here.
        let start = max(segment.first - 1, state.base)
        guard var head = try self.head(at: start, of: segment.device, state, tables) else { return .waiting }
        var heads: [LogHead] = []
        let entries = segment.entries.dropFirst(Int(start + 1 - segment.first))
        for entry in entries {
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
        for (entry, head) in zip(entries, heads)
        where head.sequence > state.head.sequence && head.sequence <= limit {
            state.head = head
            let content = try read(entry, at: head.sequence, of: segment.device)
            let stored = StoredEntry(
                sequence: head.sequence, sealed: entry, hash: head.hash, state: content.state)
            try tables.insert(stored, of: segment.device)
            if content.value?.saysMoreThanSeen ?? true { state.content = head.sequence }
            if let content = content.value { try merge(content, at: head.sequence, tables) }
        }
        // Own entries at the place that this device did not have: its home was set back to an earlier state.
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

    private mutating func read(
        _ entry: SealedEntry, at sequence: UInt64, of device: DeviceID
    ) throws -> (value: EntryContent?, state: StoredEntry.State) {
        var state = StoredEntry.State.withoutKey
        for epoch in roster.ring.epochs(named: entry.epoch) {
            guard let cipher = try roster.cipher(of: device, in: epoch) else { continue }
            do throws(SyncError) {
                return (try cipher.open(entry.box, sequence: sequence, device: device), .merged)
            } catch {
                state = error.code == .newer || state == .newer ? .newer : .invalid
            }
        }
        return (nil, state)
    }

    /// Reads the entries in a state once more; after an update, or with new keys.
    mutating func readAgain(_ state: StoredEntry.State, _ tables: some SyncTables) throws {
        for (device, sequence) in try tables.entries(in: state) where sequence <= roster.lastSequence(of: device) {
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
        for change in content.changes { try merge(change, content.stamp, sequence, tables) }
    }

    /// Merges what an entry says of one record.
    func merge(_ change: SyncChange, _ stamp: Stamp, _ sequence: UInt64, _ tables: some SyncTables) throws {
        guard counts(change, by: stamp.device), try tables.insert(change, stamp, sequence: sequence) else { return }
        if change.record.kind == SyncRecordKey.erasure, stamp.device != device {
            try noteUnsent(in: change.record.id, tables)
        }
        try tables.markChanged(change.record)
    }

    private func counts(_ change: SyncChange, by device: DeviceID) -> Bool {
        switch change.record.kind {
        case SyncRecordKey.acknowledgement: change.record.id == device.bytes
        case SyncRecordKey.erasure: change.record.isErasure
        default: true
        }
    }
}
