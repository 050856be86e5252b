// SPDX-License-Identifier: MIT

import Security

/// The records of devices as one device reads them: the members of the group, and the keys.
struct Roster: Sendable {
    private(set) var graph: MembershipGraph
    private(set) var membership: Membership
    private(set) var ring: KeyRing
    private let reader: MembershipRecord.Party
    private let secret: SecretKeys
    private var ciphers: [CipherKey: EntryCipher] = [:]

    private struct CipherKey: Hashable {
        let device: DeviceID
        let epoch: Hash
    }

    init(
        founding record: MembershipRecord, reader: MembershipRecord.Party, keys: SecretKeys
    ) throws(SyncError) {
        graph = try MembershipGraph(founding: record)
        membership = try graph.evaluated()
        (self.reader, secret) = (reader, keys)
        ring = KeyRing()
        ring.update(graph, membership, reader: reader, keys: keys)
    }

    /// The roster of stored records; nil if there is no founding one.
    init?(
        records: [[UInt8]], group: Hash, reader: MembershipRecord.Party, keys: SecretKeys
    ) throws(SyncError) {
        var rest: [MembershipRecord] = []
        var founding: MembershipRecord?
        for bytes in records {
            let record = try MembershipRecord(bytes)
            if record.hash == group { founding = record } else { rest.append(record) }
        }
        guard let founding else { return nil }
        try self.init(founding: founding, reader: reader, keys: keys)
        for record in rest { _ = try graph.insert(record) }
        try evaluate()
    }

    /// Takes a record in; false if it changes nothing.
    mutating func insert(_ record: MembershipRecord) throws(SyncError) -> Bool {
        guard try graph.insert(record) else { return false }
        try evaluate()
        return true
    }

    private mutating func evaluate() throws(SyncError) {
        membership = try graph.evaluated()
        ring.update(graph, membership, reader: reader, keys: secret)
    }

    /// The cipher of a device's entries in an epoch; nil without its key.
    mutating func cipher(of device: DeviceID, in epoch: Hash) throws(SyncError) -> EntryCipher? {
        let id = CipherKey(device: device, epoch: epoch)
        if let cipher = ciphers[id] { return cipher }
        guard let key = ring.keys[epoch] else { return nil }
        let cipher = try EntryCipher(group: membership.group, device: device, epoch: epoch, key: key)
        ciphers[id] = cipher
        return cipher
    }

    /// The epoch to write in: of those that everybody can read and nobody else, the last. Nil if there must be a new one.
    var writingEpoch: Hash? {
        membership.writableEpochs.last { ring.keys[$0] != nil }
    }

    /// True if a new epoch is needed: there is none to write in, or somebody lacks a key that this device has.
    var needsRekeying: Bool {
        writingEpoch == nil || membership.isAnyoneMissing(ring.keys.keys)
    }

    /// The last entry of a device that the writer of any record knew. A device does not say it of itself: it could
    /// claim entries that it is yet to write.
    func seen(of device: DeviceID) -> UInt64 {
        membership.accepted.reduce(0) { last, hash in
            guard let record = graph.records[hash], record.signer != .device(device) else { return last }
            return max(last, record.seen[device] ?? 0)
        }
    }

    /// A record that changes the group, signed by this device or the recovery phrase, on top of all that is known.
    ///
    /// - Parameter heads: The last entries that this device has.
    func makeRecord(
        _ change: MembershipRecord.Change, names: [DeviceID: String] = [:], heads: [DeviceID: UInt64]
    ) throws(SyncError) -> MembershipRecord {
        var readers = membership.wrappingKeys
        switch change {
        case .founding: throw .invalid("a group has one founding record")
        case .addition(let keys): readers[.device(try keys.device)] = keys.agreement
        case .revocation(let device, _): readers[.device(device)] = nil
        case .rekeying: break
        }
        let secrets = MembershipRecord.Secrets(keys: ring.keys, names: ring.names.merging(names) { $1 })
        let draft = MembershipRecord.Draft(
            group: membership.group, parents: graph.heads, signer: reader, change: change,
            seen: heads, readers: readers, secrets: secrets)
        return try MembershipRecord.make(draft, signing: secret.signing).record
    }

    /// The record that begins a group.
    static func makeFounding(
        device keys: SecretKeys, recovery: PublicKeys, name: String
    ) throws(SyncError) -> MembershipRecord {
        let device = try keys.publicKeys.device
        let draft = MembershipRecord.Draft(
            group: nil, parents: [], signer: .device(device),
            change: .founding(keys.publicKeys, recovery: recovery), seen: [:],
            readers: [.device(device): keys.publicKeys.agreement, .recovery: recovery.agreement],
            secrets: MembershipRecord.Secrets(keys: [:], names: [device: name]))
        return try MembershipRecord.make(draft, signing: keys.signing).record
    }
}
