// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire

@testable import Sync

/// Something that the place did, and the finding that named it.
struct Injection {
    let kind: SimulatedPlace.Misbehaviour
    let names: [SyncObjectName]
    var finding: SyncFinding?

    func isNamed(by finding: SyncFinding) -> Bool {
        kind.findings.contains(finding.kind) && names.contains { $0.isSubject(of: finding) }
    }
}

extension SyncObjectName {
    /// True if the finding is about the object, or about what it holds.
    func isSubject(of finding: SyncFinding) -> Bool {
        if finding.subject.hasSuffix(text) { return true }
        switch self {
        case .membership: return finding.kind == .missing && finding.device == nil
        case .log(let device, _, _): return finding.device?.bytes == device && !finding.subject.hasPrefix("the parts")
        case .snapshot(let device, let number, _, _):
            return finding.device?.bytes == device && finding.subject == "the parts of snapshot \(number)"
        case .pairing: return false
        }
    }
}

/// That what the place does is noticed, and that an honest place is not blamed.
///
/// A device can notice, with an exchange that lists everything,
/// - that an object is gone which it wrote or read, as long as nothing else at the place holds the same entries: records of
///   devices, the end of a log, entries in the midst of one, the newest snapshot that it knows;
/// - that an object is gone which it never saw, if an object that it has or is shown names it: an acknowledgement, a later
///   segment, a record of devices that has it as a parent;
/// - that an object is not genuine, if it has not read it before and needs it.
///
/// An honest place is never said to be set back, nor to have anything that is not genuine. Entries may be missing there for a
/// while after removals that contradict each other: a snapshot was made without the log of a device that counts again. After
/// one removal they may, too, if the snapshot that holds them is the removed device's.
///
/// It cannot notice that the newest objects are withheld of which it never heard, nor that bytes changed which it does
/// not read any more. A device that knows no snapshot cannot tell a log of which it has nothing from one that the place lost,
/// while a snapshot is there that may hold the log's start, a removed device's or one of which it has no key. Gaps in logs are not looked for while a snapshot is there that it does not know: that may be the
/// reason for them.
extension SyncWorld {
    func note(_ outcome: SyncRound.Outcome, of device: SimulatedDevice) throws {
        let replica = try Replica(keys: device.keys, MemoryTables(device.storage.state))
        let mayLack = removals > 1 || place.state.withLock { $0.objects.keys.contains { replica.isOfRemoved($0) } }
        for finding in outcome.findings {
            diary.append("\(device.name) finds: \(finding)")
            if injections.isEmpty, finding.kind != .missing || !mayLack {
                throw Failure(description: "\(device.name) blames an honest place: \(finding)")
            }
            for index in injections.indices where injections[index].finding == nil {
                if injections[index].isNamed(by: finding) { injections[index].finding = finding }
            }
        }
        // A changed digit of a version asks for an update.
        guard outcome.newer > 0 else { return }
        for index in injections.indices where injections[index].kind == .alter && injections[index].finding == nil {
            if let name = injections[index].names.first, outcome.names.contains(name.text) {
                injections[index].finding = SyncFinding(kind: .forged, device: nil, subject: "newer \(name.text)")
            }
        }
    }

    /// Exchanges once on each device, and compares what it finds with what it can know.
    func checkNoticed() async throws {
        isCalm = true
        place.recover()
        diary.append("the place works again, and mends nothing")
        for device in devices {
            let before = MemoryTables(device.storage.state)
            let (shown, genuine) = place.state.withLock { ($0.shown(to: device.id), $0.genuine) }
            let outcome = try await device.round(view(for: device), isWhole: true, silence: silence)
            try note(outcome, of: device)
            diary.append("\(device.name) syncs: read \(outcome.read), wrote \(outcome.written) \(outcome.names)")
            let after = MemoryTables(device.storage.state)
            let (old, new) = (try Replica(keys: device.keys, before), try Replica(keys: device.keys, after))
            // A device that was removed, or was not added yet, has no business with the others.
            let expected =
                try old.expectations(shown, genuine, before)
                + (new.roster.membership.isActive(device.id)
                    ? new.expectationsAfterwards(shown, genuine, outcome, after) : [])
                + new.expectationsOfContent(shown, genuine, outcome, after)
            for expectation in expected where !outcome.findings.contains(where: expectation.isMet) {
                throw Failure(description: "\(device.name) does not notice: \(expectation)")
            }
        }
    }
}

/// A finding that must be there.
struct Expectation: CustomStringConvertible {
    let kinds: Set<SyncFinding.Kind>
    let name: SyncObjectName
    let reason: String

    var description: String { "\(name), \(reason)" }

    func isMet(by finding: SyncFinding) -> Bool { kinds.contains(finding.kind) && name.isSubject(of: finding) }
}

extension Replica {
    /// The findings about what this device had seen at the place, and is not shown.
    fileprivate func expectations(
        _ shown: [SyncObjectName: [UInt8]], _ genuine: [SyncObjectName: [UInt8]], _ tables: MemoryTables
    ) throws -> [Expectation] {
        let promised = try self.promised(tables)
        let snapshots = shown.keys.filter { if case .snapshot = $0 { true } else { false } }
        let known = promised.snapshot
        let isOtherThere = snapshots.contains { mayHold($0, besides: known) }
        let heads = known.map { $0.isWhole(in: Set(snapshots)) ? $0.heads : [:] } ?? [:]
        let isSnapshotGone = known.map { !$0.heads.isEmpty && !$0.isWhole(in: Set(snapshots)) } ?? false
        return genuine.keys.filter { shown[$0] == nil }.compactMap { name in
            switch name {
            case .membership(let hash):
                guard let hash = Hash(hash), promised.records.contains(hash) else { return nil }
                return Expectation(kinds: [.rolledBack], name: name, reason: "which it has")
            case .log(let bytes, let first, let last):
                guard let device = DeviceID(bytes) else { return nil }
                let end = min(promised.entries[device] ?? 0, roster.lastSequence(of: device))
                guard first <= end else { return nil }
                let ranges = shown.keys.compactMap { other -> ClosedRange<UInt64>? in
                    if case .log(bytes, let first, let last) = other { first...last } else { nil }
                }
                let isTail = ranges.allSatisfy { $0.upperBound < end }
                guard isTail || !isOtherThere && !isSnapshotGone else { return nil }
                let isHeld = (first...min(last, end)).allSatisfy { entry in
                    ranges.contains { $0.contains(entry) } || entry <= heads[device]?.sequence ?? 0
                }
                return isHeld ? nil : Expectation(kinds: [.rolledBack, .missing], name: name, reason: "which it had")
            case .snapshot:
                guard isSnapshotGone, !isOtherThere, known?.has(name) ?? false else { return nil }
                return Expectation(kinds: [.missing], name: name, reason: "which it knows")
            case .pairing: return nil
            }
        }
    }

    /// The findings about what this device has heard of, and is not shown.
    fileprivate func expectationsAfterwards(
        _ shown: [SyncObjectName: [UInt8]], _ genuine: [SyncObjectName: [UInt8]], _ outcome: SyncRound.Outcome,
        _ tables: MemoryTables
    ) throws -> [Expectation] {
        let logs = tables.logs()
        var needed: [DeviceID: UInt64] = [:]
        for (device, last) in try acknowledgements(tables).values.joined() {
            needed[device] = max(needed[device] ?? 0, min(last, roster.lastSequence(of: device)))
        }
        for (name, bytes) in shown where bytes == genuine[name] {
            guard case .log(let bytes, let first, _) = name else { continue }
            guard let device = DeviceID(bytes), first <= roster.lastSequence(of: device) else { continue }
            needed[device] = max(needed[device] ?? 0, first - 1)
        }
        let awaitsSnapshot =
            try usableSnapshot(tables) == nil
            && (shown.keys.contains { isOfRemoved($0) } || !wholeSnapshots(tables).isEmpty)
        var expected = needed.compactMap { device, last -> Expectation? in
            let head = logs[device]?.head.sequence ?? 0
            guard roster.membership.isActive(device), last > head, head > 0 || !awaitsSnapshot else { return nil }
            return Expectation(
                kinds: [.missing], name: .log(device: device.bytes, first: 1, last: last), reason: "of which it heard")
        }
        for (name, bytes) in shown where name.isMembership && outcome.newer == 0 {
            guard let record = try? MembershipRecord(bytes), record.name == name,
                roster.graph.records[record.hash] == nil,
                record.parents.contains(where: { roster.graph.records[$0] == nil })
            else { continue }
            expected.append(Expectation(kinds: [.missing], name: name, reason: "whose parent it lacks"))
        }
        return expected
    }

    /// True for a part of a removed device's snapshot.
    fileprivate func isOfRemoved(_ name: SyncObjectName) -> Bool {
        if case .snapshot(let bytes, _, _, _) = name { roster.isRemoved(bytes) } else { false }
    }

    /// The findings about objects that this device read and that are not genuine.
    fileprivate func expectationsOfContent(
        _ shown: [SyncObjectName: [UInt8]], _ genuine: [SyncObjectName: [UInt8]], _ outcome: SyncRound.Outcome,
        _ tables: MemoryTables
    ) throws -> [Expectation] {
        let logs = tables.logs()
        return genuine.keys.filter { name in
            guard let bytes = shown[name], bytes != genuine[name], outcome.names.contains(name.text) else {
                return false
            }
            // It waits for another object, or for an update.
            if tables.state.wanted.contains(name.text) { return false }
            guard case .log(let log, let first, let last) = name, let device = DeviceID(log) else { return true }
            let base = logs[device]?.base ?? 0
            // Nothing of it is needed, or what is needed is as it was.
            guard first <= roster.lastSequence(of: device), last > base else { return false }
            guard base >= first, let segment = try? LogSegment(bytes), segment.first == first, segment.last == last,
                let original = genuine[name].flatMap({ try? LogSegment($0) })
            else { return true }
            let needed = Int(base + 1 - first)
            return segment.signature != original.signature
                || segment.entries.dropFirst(needed) != original.entries.dropFirst(needed)
        }.map { Expectation(kinds: [.forged, .misnamed], name: $0, reason: "which is not genuine") }
    }
}
