// SPDX-License-Identifier: MIT

import SyncWire

/// One exchange with the place: read what others wrote, write what this device has, say what is odd.
///
/// Each step is stored before the next, so a round may be cut off anywhere and the next one goes on. Several programs of
/// one device may run rounds at once; they do the same work twice and nothing wrong.
struct SyncRound {
    let replica: StoredReplica
    let transport: any SyncTransport
    /// The machine's clock, in milliseconds since 1970.
    let now: @Sendable () -> Int64
    /// True to list everything, and compare it with what the place promised to keep.
    let isWhole: Bool
    /// True to say what this device has seen.
    let acknowledges: Bool
    var policy = SyncPolicy()

    /// The result of a round.
    struct Outcome: Sendable {
        var findings: [SyncFinding] = []
        /// Objects that only a newer program can read.
        var newer = 0
        var read = 0
        var names: [String] = []
        var written = 0
        /// An object was listed and is gone: its writer put it together with others, or into a snapshot.
        var isListingOld = false
        /// The lead of this device's clock over the place's, in milliseconds; nil if the place does not tell the time.
        var lead: Int64?
    }

    /// An exchange lists again so often, if objects go while it reads.
    private static let listingLimit = 3

    func callAsFunction() async throws -> Outcome {
        var outcome = Outcome()
        try await exchange(&outcome)
        guard try await replica.read({ try !$1.keptFindings().isEmpty }) else { return outcome }
        outcome.findings = try await replica.write { try $1.takeFindings() } + outcome.findings
        return outcome
    }

    private func exchange(_ outcome: inout Outcome) async throws {
        if try await replica.read({ try !$1.entries(in: .newer).isEmpty }) {
            // This program may be the newer one by now.
            try await replica.write { try $0.readAgain(.newer, $1) }
        }
        var whole = try await list(&outcome, isWhole: isWhole)
        let members = try await replica.read { replica, _ in replica.roster.membership.members }
        var waiting = try await read(&outcome) { $0.isMembership }
        if try await replica.read({ replica, _ in replica.roster.membership.hasMore(than: members) }) {
            // Entries that count again were passed over.
            whole = try await list(&outcome, isWhole: false) ?? whole
            waiting = try await read(&outcome) { $0.isMembership }
        }
        // Before it is added and after it is removed, a device has no business with what others write. What it wrote until
        // then, they want.
        guard try await replica.read({ replica, _ in replica.roster.membership.isActive(replica.device) }) else {
            try await write(&outcome)
            outcome.findings += try await replica.read { [waiting] replica, _ in replica.missingBefore(waiting) }
            return
        }
        for count in 1...Self.listingLimit {
            outcome.isListingOld = false
            try await readSnapshotIfNeeded(&outcome)
            waiting = try await read(&outcome) { _ in true }
            if try await readSnapshotIfNeeded(&outcome) { waiting = try await read(&outcome) { _ in true } }
            guard outcome.isListingOld, count < Self.listingLimit else { break }
            _ = try await list(&outcome, isWhole: false)
        }
        try await replica.write { _ = try $0.rekeyIfNeeded($1) }
        if acknowledges { try await replica.write { [now] in _ = try $0.acknowledge(now: now(), $1) } }
        if let whole {
            try await learnSnapshot()
            try await replica.write { [oldest, now, policy] replica, tables in
                try replica.confirmErasures(before: oldest, now: now(), tables)
                if try replica.isSnapshotDue(policy, whole, tables) { _ = try replica.makeSnapshot(tables) }
            }
        }
        try await write(&outcome)
        if let whole { try await removeWhatIsCovered(whole) }
        // An object may wait for one that only a newer program reads: that one is not missing.
        if outcome.newer > 0 { waiting = [] }
        let (lead, names) = (outcome.lead, outcome.names)
        outcome.findings += try await replica.write { [waiting, now] replica, tables in
            try replica.noteClocks(lead: lead, now: now(), tables)
            return try replica.findMissing(waiting: waiting, read: names, tables)
        }
    }

    /// - Returns: All objects, if all were listed.
    private func list(_ outcome: inout Outcome, isWhole: Bool) async throws -> [SyncObject]? {
        var (cursor, promised) = try await replica.read { replica, tables in
            let cursor = try tables.value(.cursor).map { SyncCursor(String(decoding: $0, as: UTF8.self)) }
            return (cursor, try replica.promised(tables))
        }
        if isWhole { cursor = nil }
        var all: [SyncObject] = []
        var isWhole = false
        var isComplete = true
        var pages = ListingPages(transport, after: cursor)
        var start = now()
        while let listing = try await pages.next() {
            outcome.lead = listing.time.map { ClockWarning.lead(over: $0, askedAt: start, answeredAt: now()) }
            if listing.isWhole { (all, isWhole) = ([], true) }
            all += listing.objects
            let text = listing.cursor.map { Array($0.text.utf8) }
            isComplete = try await replica.write(isDurable: false) { [isComplete] replica, tables in
                let isComplete = try replica.note(listing.objects, tables) && isComplete
                try tables.set(.cursor, isComplete ? text : nil)
                return isComplete
            }
            start = now()
        }
        guard isWhole else { return nil }
        let objects = all
        try await replica.write { [promised] in try $1.keep($0.checkWhole(objects, promised, $1)) }
        return objects
    }

    /// - Returns: The objects that wait for others.
    private func read(
        _ outcome: inout Outcome, _ isWanted: (SyncObjectName) -> Bool
    ) async throws -> Set<SyncObjectName> {
        var newer: Set<SyncObjectName> = []
        var waiting: Set<SyncObjectName> = []
        while true {
            let readable = try await replica.read { try $0.readable($1) }
            let names = readable.filter { isWanted($0) && !waiting.contains($0) && !newer.contains($0) }
            guard !names.isEmpty else { return waiting }
            for name in names {
                let reception: Replica.Reception
                do {
                    let bytes = try await transport.read(name)
                    outcome.read += 1
                    outcome.names.append(name.text)
                    reception = try await replica.write(isDurable: false) { replica, tables in
                        let reception = try replica.receive(name, bytes, tables)
                        if reception != .waiting { try tables.setWanted(name.text, false) }
                        if case .rejected(let finding) = reception { try tables.keep([finding]) }
                        return reception
                    }
                } catch let error as SyncError where error.code == .newer {
                    outcome.newer += 1
                    newer.insert(name)
                    continue
                } catch let error as SyncError where error.code == .tooLarge {
                    let finding = SyncFinding(kind: .forged, device: nil, subject: name.text)
                    reception = .rejected(finding)
                    try await replica.storage.write(isDurable: false) { tables in
                        try tables.setWanted(name.text, false)
                        try tables.keep([finding])
                    }
                } catch let error as SyncError where error.code == .notFound {
                    outcome.isListingOld = true
                    try await replica.storage.write(isDurable: false) { try $0.setWanted(name.text, false) }
                    continue
                }
                switch reception {
                // Anything new may be what others wait for.
                case .done: waiting = []
                case .waiting: waiting.insert(name)
                case .rejected: break
                }
            }
        }
    }

    private func write(_ outcome: inout Outcome) async throws {
        var refused: Set<SyncObjectName> = []
        while let object = try await replica.read({ [refused] in try $0.nextOutgoing(except: refused, $1) }) {
            do {
                try await transport.create(object.name, object.bytes)
            } catch let error as SyncError where error.code == .exists {
                outcome.findings.append(try await occupant(of: object.name))
                refused.insert(object.name)
                continue
            }
            outcome.written += 1
            try await replica.write(isDurable: false) { try $0.confirm(object.name, $1) }
        }
    }
}

extension SyncRound {
    /// The finding about an object that has the name of one of this device's: another history that the device signed, or
    /// what somebody else put there.
    private func occupant(of name: SyncObjectName) async throws -> SyncFinding {
        do {
            let bytes = try await transport.read(name)
            let reception = try await replica.write(isDurable: false) { try $0.receive(name, bytes, $1) }
            if case .rejected(let finding) = reception { return finding }
        } catch let error as SyncError where error.code == .tooLarge {
            return SyncFinding(kind: .forged, device: nil, subject: name.text)
        } catch let error as SyncError where [.newer, .notFound].contains(error.code) {}
        return SyncFinding(kind: .forked, device: replica.device, subject: name.text)
    }
}
