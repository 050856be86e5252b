// SPDX-License-Identifier: MIT

import SyncWire

/// The limits at which a device tidies up at the place.
struct SyncPolicy: Sendable {
    /// The entries of all logs after which a new snapshot is made, once they take as much room at the place as the last
    /// one; the second device of the group waits for twice as many, and so on, so that one that is there makes it for all.
    var snapshotEntryCount: UInt64 = 5_000
    /// The number of small own segments at the place from which on they are put together.
    var segmentCount = 64
    /// A device that was silent for so long keeps nobody from removing entries. Milliseconds: 90 days.
    var silence: UInt64 = 90 * 86_400_000
}

extension Replica {
    /// True if the place needs a new snapshot, and this device can make it.
    ///
    /// - Parameter objects: All objects of the place.
    func isSnapshotDue(_ policy: SyncPolicy, _ objects: [SyncObject], _ tables: some SyncTables) throws -> Bool {
        guard let position = roster.membership.active.firstIndex(of: device) else { return false }
        let known = try usableSnapshot(tables)
        var firsts: [DeviceID: UInt64] = [:]
        var (newSize, size) = (0, 0)
        for object in objects {
            switch object.name {
            case .log(let bytes, let first, let last):
                guard let device = DeviceID(bytes) else { continue }
                firsts[device] = min(first, firsts[device] ?? .max)
                if last > known?.heads[device]?.sequence ?? 0 { newSize += object.size }
            case .snapshot(known?.device.bytes, known?.number, _, _): size += object.size
            case .snapshot, .membership, .pairing: break
            }
        }
        // Only a new snapshot can hold own entries that the place has lost and this device has removed.
        let own = try log(of: device, tables)
        if objects.ownSegments(of: device).hasGap(after: known?.heads[device]?.sequence ?? 0, upTo: own.confirmed) {
            return true
        }
        var new: UInt64 = 0
        for (log, state) in try tables.logs() {
            let end = min(state.head.sequence, roster.lastSequence(of: log))
            let coveredEnd = known?.heads[log]?.sequence ?? 0
            // Entries that the place does not have any more must be in one: those who come later need them.
            let isOut = log == device && state.confirmed == 0
            if end > coveredEnd, !isOut, firsts[log] ?? .max > coveredEnd + 1 { return true }
            new += end - min(end, coveredEnd)
        }
        return new >= policy.snapshotEntryCount * UInt64(position + 1) && newSize >= size
    }
}

extension SyncRound {
    /// Merges the newest snapshot that can be used, if it helps.
    ///
    /// - Returns: True if one was merged.
    @discardableResult
    func readSnapshotIfNeeded(_ outcome: inout Outcome) async throws -> Bool {
        guard try await replica.read({ try $0.needsSnapshot($1) }) else { return false }
        for snapshot in try await replica.read({ try $0.wholeSnapshots($1) }) {
            do {
                if try await read(snapshot, &outcome) { return true }
            } catch let error as SyncError where error.code == .newer {
                outcome.newer += 1
            } catch let error as SyncError where [.notFound, .invalid].contains(error.code) {
                if error.code == .notFound { outcome.isListingOld = true }
                try await forget(snapshot, isForged: error.code == .invalid)
            }
        }
        return false
    }

    private func read(_ snapshot: [SnapshotPart.Position], _ outcome: inout Outcome) async throws -> Bool {
        var heads: [DeviceID: LogHead] = [:]
        for position in snapshot {
            let bytes = try await transport.read(position.name)
            outcome.read += 1
            outcome.names.append(position.name.text)
            let found = try await replica.write(isDurable: false) { [heads] replica, tables -> [DeviceID: LogHead]? in
                guard let items = try replica.open(bytes, at: position) else { return nil }
                let heads = position.part == 1 ? items.heads : heads
                try replica.merge(items, upTo: heads, tables)
                return heads
            }
            guard let found else { return false }
            heads = found
        }
        guard let first = snapshot.first else { return false }
        let known = KnownSnapshot(device: first.device, number: first.number, heads: heads)
        try await replica.write { try $0.adopt(known, $1) }
        return true
    }

    private func forget(_ snapshot: [SnapshotPart.Position], isForged: Bool) async throws {
        try await replica.storage.write(isDurable: false) { tables in
            if isForged, let first = snapshot.first {
                try tables.keep([SyncFinding(kind: .forged, device: first.device, subject: first.name.text)])
            }
            for position in snapshot { try tables.setWanted(position.name.text, false) }
        }
    }

    // MARK: Removing

    /// A device that was silent since before then, milliseconds since 1970, is not waited for.
    var oldest: UInt64 {
        let now = UInt64(max(0, now()))
        return now - min(now, policy.silence)
    }

    /// Removes what was erased and what a snapshot at the place covers, and puts small segments together. At the place,
    /// only what this device wrote.
    func removeWhatIsCovered(_ objects: [SyncObject]) async throws {
        let (names, oldest) = (Set(objects.map(\.name)), self.oldest)
        try await replica.write { try $0.purgeErased(before: oldest, $1) }
        guard let known = try await replica.read({ try $0.usableSnapshot($1) }) else {
            return try await compact(objects, above: 0)
        }
        guard known.isWhole(in: names) || known.device == replica.device else { return }
        let end = try await replica.write { replica, tables in
            let seen = try replica.seenByAll(since: oldest, tables)
            return try replica.truncate(to: known, seenByAll: seen, tables)
        }
        let own = objects.ownSegments(of: replica.device)
        // Several hold the last entry while another program of this device puts them together, and only one remains.
        let newest = own.last?.last ?? 0
        for segment in own where segment.last <= end && segment.last < newest {
            try await transport.remove(segment.name)
        }
        for name in names {
            if case .snapshot(replica.device.bytes, let number, _, _) = name, number < known.number {
                try await transport.remove(name)
            }
        }
        try await compact(objects, above: end)
    }

    /// Looks at the newest snapshot at the place, to know what it covers.
    func learnSnapshot() async throws {
        let newest = try await replica.read { replica, tables in
            let known = try replica.usableSnapshot(tables)?.number ?? 0
            return try replica.wholeSnapshots(tables).first { ($0.first?.number ?? 0) > known }
        }
        guard let newest, let first = newest.first else { return }
        do {
            let bytes = try await transport.read(first.name)
            try await replica.write(isDurable: false) { replica, tables in
                guard let items = try replica.open(bytes, at: first) else { return }
                let known = KnownSnapshot(device: first.device, number: first.number, heads: items.heads)
                try replica.learn(known, tables)
            }
        } catch let error as SyncError where [.notFound, .invalid, .newer].contains(error.code) {
            try await forget(newest, isForged: error.code == .invalid)
        }
    }

    /// Puts own segments together: the newest small ones once there are many, and older ones once they fill an object. So
    /// an entry is written three times at most.
    private func compact(_ objects: [SyncObject], above end: UInt64) async throws {
        let own = objects.ownSegments(of: replica.device).filter { $0.last > end }
        let small = own.reversed().prefix(while: \.isSmall).count
        // The last run may still grow.
        for run in own.dropLast(small).runs.dropLast() where run.count >= 4 { try await replace(run) }
        guard small >= policy.segmentCount else { return }
        for run in own.suffix(small).runs { try await replace(run) }
    }

    private func replace(_ run: [OwnSegment]) async throws {
        guard run.count > 1, let first = run.first?.first, let last = run.last?.last else { return }
        let whole = try await replica.read { replica, tables -> OutgoingObject? in
            let entries = try tables.entries(of: replica.device, first...last).filter { !$0.sealed.box.isEmpty }
            guard entries.count == Int(last - first + 1), let end = entries.last else { return nil }
            return try replica.segment(entries, end: end)
        }
        guard let whole else { return }
        try await transport.create(whole.name, whole.bytes)
        for segment in run where segment.name != whole.name { try await transport.remove(segment.name) }
    }
}

/// A segment of this device's own log at the place.
struct OwnSegment: Sendable, Hashable {
    let name: SyncObjectName
    let first: UInt64
    let last: UInt64
    let size: Int

    fileprivate var isSmall: Bool {
        size < Replica.segmentByteLimit / 16 && last - first < Replica.segmentEntryLimit / 16
    }
}

extension Collection<OwnSegment> {
    /// True if entries are in no segment that others of these come after.
    fileprivate func hasGap(after end: UInt64, upTo last: UInt64) -> Bool {
        var end = end
        for segment in sorted(by: { $0.first < $1.first }) where segment.last > end {
            guard segment.first <= end + 1 else { return end < last }
            end = segment.last
        }
        return false
    }

    /// Segments that follow each other and fit into one.
    fileprivate var runs: [[OwnSegment]] {
        var runs: [[OwnSegment]] = []
        var size = 0
        for segment in self {
            if let run = runs.last, let first = run.first, let last = run.last, segment.first == last.last + 1,
                size + segment.size <= Replica.segmentByteLimit,
                segment.last - first.first < Replica.segmentEntryLimit
            {
                runs[runs.count - 1].append(segment)
                size += segment.size
            } else {
                runs.append([segment])
                size = segment.size
            }
        }
        return runs
    }
}

extension [SyncObject] {
    func ownSegments(of device: DeviceID) -> [OwnSegment] {
        let segments = compactMap { object -> OwnSegment? in
            guard case .log(device.bytes, let first, let last) = object.name else { return nil }
            return OwnSegment(name: object.name, first: first, last: last, size: object.size)
        }
        return segments.sorted { ($0.last, $0.first) < ($1.last, $1.first) }
    }
}

extension [SnapshotItem] {
    fileprivate var heads: [DeviceID: LogHead] {
        var heads: [DeviceID: LogHead] = [:]
        for case .head(let device, let head) in self { heads[device] = head }
        return heads
    }
}

extension KnownSnapshot {
    /// True if all parts are among the names.
    func isWhole(in names: Set<SyncObjectName>) -> Bool {
        for name in names {
            if case .snapshot(device.bytes, number, _, let parts) = name {
                return (1...parts).allSatisfy {
                    names.contains(.snapshot(device: device.bytes, number: number, part: $0, parts: parts))
                }
            }
        }
        return false
    }
}
