// SPDX-License-Identifier: MIT

import Security

/// The devices of a group and the keys that they have, as far as a set of records tells.
struct Membership: Sendable {
    /// A device that belongs to the group, or did.
    struct Member: Sendable, Hashable {
        let keys: PublicKeys
        /// The sequence number of the last entry that counts; nil for a device that belongs to the group.
        var lastSequence: UInt64?
        var isActive: Bool { lastSequence == nil }
        /// False as long as a record that the device made before it knew of its removal may come and count: who was removed
        /// by another device may be the more senior one.
        var isHeardOut = false
    }

    let group: Hash
    let recovery: PublicKeys
    private(set) var members: [DeviceID: Member] = [:]
    /// Records whose writer did not belong to the group any more.
    private(set) var refused: Set<Hash> = []
    /// The order in which the records counted.
    private(set) var accepted: [Hash] = []
    /// The readers of each accepted record's key, by the records.
    private(set) var readers: [Hash: Set<MembershipRecord.Party>] = [:]
    /// The earlier epochs that each accepted record carries.
    private var carried: [Hash: [Hash]] = [:]
    /// The readers of each record's key, and so of the keys that it carries; refused records included.
    private var holders: [(record: Hash, readers: Set<MembershipRecord.Party>, carried: [Hash])] = []

    init(group: Hash, recovery: PublicKeys) {
        (self.group, self.recovery) = (group, recovery)
    }

    var active: [DeviceID] { members.filter(\.value.isActive).keys.sorted() }

    /// True if more entries of one of these devices count than by then.
    func hasMore(than earlier: [DeviceID: Member]) -> Bool {
        earlier.contains { device, member in
            (members[device].map { $0.lastSequence ?? .max } ?? 0) > member.lastSequence ?? .max
        }
    }

    /// Those whose records may still count: the active devices, and of the removed ones those that are not heard out.
    var speaking: [DeviceID] { members.filter { $0.value.isActive || !$0.value.isHeardOut }.keys.sorted() }

    func isActive(_ device: DeviceID) -> Bool { members[device]?.isActive ?? false }

    mutating func apply(_ record: MembershipRecord) throws(SyncError) {
        holders.append((record.hash, Set(record.wraps.keys), record.carried))
        guard try isAllowed(record) else {
            refused.insert(record.hash)
            return
        }
        switch record.change {
        case .founding(let keys, _), .addition(let keys): members[try keys.device] = Member(keys: keys)
        case .revocation(let device, let lastSequence):
            // Of two that revoke one device, neither takes back what the other one had seen.
            let earlier = members[device]?.lastSequence ?? 0
            members[device]?.lastSequence = max(lastSequence, earlier)
            // Nothing comes before what the phrase says, nor is missing before what the device says itself.
            if [.recovery, .device(device)].contains(record.signer) { members[device]?.isHeardOut = true }
        case .rekeying: break
        }
        accepted.append(record.hash)
        readers[record.hash] = Set(record.wraps.keys)
        carried[record.hash] = record.carried
    }

    private func isAllowed(_ record: MembershipRecord) throws(SyncError) -> Bool {
        switch record.signer {
        case .recovery: break
        case .device(let id):
            if case .founding = record.change { break }
            guard isActive(id) else { return false }
        }
        switch record.change {
        // A device that was revoked comes back with new keys, and so with another id.
        case .addition(let keys): return members[try keys.device] == nil
        case .revocation(let device, _): return members[device] != nil
        case .founding, .rekeying: return true
        }
    }

    /// Everybody that a new key is for, with the key that wraps for them.
    var wrappingKeys: [MembershipRecord.Party: X25519.PublicKey] {
        var keys: [MembershipRecord.Party: X25519.PublicKey] = [.recovery: recovery.agreement]
        for (device, member) in members where member.isActive { keys[.device(device)] = member.keys.agreement }
        return keys
    }

    /// The epochs whose key all active devices have and nobody else does, not even through a record that carries it: one
    /// who did not know yet that a device was removed may have given it a key of later.
    var writableEpochs: [Hash] {
        let all = Set(wrappingKeys.keys)
        var open = holders.filter { !$0.readers.isSubset(of: all) }.map(\.record)
        var known = Set(open)
        let carried = Dictionary(holders.map { ($0.record, $0.carried) }) { first, _ in first }
        while let hash = open.popLast() { open += (carried[hash] ?? []).filter { known.insert($0).inserted } }
        return accepted.filter { readers[$0] == all && !known.contains($0) }
    }

    /// True if an active device lacks one of these keys.
    func isAnyoneMissing(_ keys: some Collection<Hash>) -> Bool {
        active.contains { device in
            let read = readers.filter { $0.value.contains(.device(device)) }.keys
            let readable = Set(read).union(read.flatMap { carried[$0] ?? [] })
            return !keys.allSatisfy(readable.contains)
        }
    }
}
