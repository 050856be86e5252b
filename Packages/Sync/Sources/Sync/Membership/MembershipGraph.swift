// SPDX-License-Identifier: MIT

import Security

/// All records of a group that this device has, and what they come to.
///
/// The result is a function of the set of records. Records that their writers made without knowing each other are put
/// into one order first: revocations come before everything that their writer did not know, and of two revocations the
/// one by the more senior writer comes first. The recovery phrase is the most senior, then the founding device and those
/// that the phrase added, then whom they added, and so on. Then each record counts if its writer belongs to the group
/// at that point (compare "Keyhive: seniority" and Matrix's state resolution v2, which sort alike).
struct MembershipGraph: Sendable {
    private(set) var records: [Hash: MembershipRecord] = [:]
    /// Records whose parents, or whose signer's keys, are not there yet.
    private(set) var waiting: [Hash: MembershipRecord] = [:]
    /// The waiting records by one parent of theirs that is not there.
    private var waitingFor: [Hash: [Hash]] = [:]
    /// The waiting records by their signer, where only its keys are missing.
    private var waitingForKeys: [DeviceID: [Hash]] = [:]
    /// The keys of each device that a record names; the id is a hash of them, so there is only one.
    private var keys: [DeviceID: PublicKeys] = [:]
    let group: Hash
    private let recovery: PublicKeys

    /// A graph that begins with its founding record.
    ///
    /// - Throws: ``SyncError`` with the code `invalid` for any other record, and for one whose signature does not fit.
    init(founding record: MembershipRecord) throws(SyncError) {
        guard case .founding(let keys, let recovery) = record.change, record.signer == .device(try keys.device),
            record.isSigned(by: keys.signing)
        else { throw .invalid("the founding record of the devices is not genuine") }
        group = record.hash
        self.recovery = recovery
        try add(record)
    }

    /// Takes a record in; false if it is there already.
    ///
    /// - Throws: ``SyncError`` with the code `invalid` for a record of another group, or whose signature does not fit.
    mutating func insert(_ record: MembershipRecord) throws(SyncError) -> Bool {
        guard record.groupID == group else { throw .invalid("the record belongs to another group of devices") }
        guard records[record.hash] == nil, waiting[record.hash] == nil else { return false }
        // A false signature is found before the parents are there, if the signer is known.
        var genuine: Hash?
        if let signer = signingKey(of: record.signer) {
            guard isGenuine(record, signer) else { throw .invalid("a record of devices has a false signature") }
            genuine = record.hash
        }
        var open = [record]
        while let next = open.popLast() {
            if let parent = next.parents.first(where: { records[$0] == nil }) {
                waiting[next.hash] = next
                waitingFor[parent, default: []].append(next.hash)
                continue
            }
            guard let signer = signingKey(of: next.signer) else {
                waiting[next.hash] = next
                if case .device(let id) = next.signer { waitingForKeys[id, default: []].append(next.hash) }
                continue
            }
            waiting[next.hash] = nil
            guard next.hash == genuine || isGenuine(next, signer) else {
                if next.hash == record.hash { throw .invalid("a record of devices has a false signature") }
                continue
            }
            try add(next)
            var released = waitingFor.removeValue(forKey: next.hash) ?? []
            if let device = try next.change.addedKeys?.device {
                released += waitingForKeys.removeValue(forKey: device) ?? []
            }
            open += released.compactMap { waiting[$0] }
        }
        return true
    }

    private mutating func add(_ record: MembershipRecord) throws(SyncError) {
        records[record.hash] = record
        if let added = record.change.addedKeys { keys[try added.device] = added }
    }

    private func isGenuine(_ record: MembershipRecord, _ signer: Ed25519.PublicKey) -> Bool {
        record.change.isPossible(with: record.group) && record.isSigned(by: signer)
    }

    private func signingKey(of signer: MembershipRecord.Party) -> Ed25519.PublicKey? {
        switch signer {
        case .recovery: recovery.signing
        case .device(let id): keys[id]?.signing
        }
    }

    /// The records that no other one refers to.
    var heads: [Hash] {
        let parents = Set(records.values.flatMap(\.parents))
        return records.keys.filter { !parents.contains($0) }.sorted()
    }

    /// The group that the records come to.
    func evaluated() throws(SyncError) -> Membership {
        var membership = Membership(group: group, recovery: recovery)
        for hash in try order() {
            guard let record = records[hash] else { continue }
            try membership.apply(record)
        }
        return membership
    }

    // MARK: Order

    /// All records, each after its parents.
    private func order() throws(SyncError) -> [Hash] {
        let depths = depths()
        let topological = records.keys.sorted { (depths[$0] ?? 0, $0) < (depths[$1] ?? 0, $1) }
        let ranks = try ranks(topological)
        var revocations: [(rank: Int, signer: [UInt8], depth: Int, hash: Hash)] = []
        for record in records.values {
            guard case .revocation = record.change else { continue }
            let rank: Int =
                switch record.signer {
                case .recovery: -1
                case .device(let id): ranks[id] ?? .max
                }
            revocations.append((rank, record.signer.bytes, depths[record.hash] ?? 0, record.hash))
        }
        revocations.sort { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            if left.signer != right.signer { return left.signer.lexicographicallyPrecedes(right.signer) }
            return (left.depth, left.hash) < (right.depth, right.hash)
        }
        let positions = Dictionary(uniqueKeysWithValues: topological.enumerated().map { ($1, $0) })
        var order: [Hash] = []
        var taken: Set<Hash> = []
        for revocation in revocations {
            let past = past(of: revocation.hash, without: taken)
            order += past.sorted { (positions[$0] ?? 0) < (positions[$1] ?? 0) }
            taken.formUnion(past)
        }
        return order + topological.filter { !taken.contains($0) }
    }

    /// The longest way from the founding record to each one.
    func depths() -> [Hash: Int] {
        var depths: [Hash: Int] = [:]
        var ready = [group]
        var missing = records.mapValues(\.parents.count)
        let children = records.values.reduce(into: [Hash: [Hash]]()) { children, record in
            for parent in record.parents { children[parent, default: []].append(record.hash) }
        }
        while let hash = ready.popLast() {
            let depth = (records[hash]?.parents.compactMap { depths[$0] }.max() ?? -1) + 1
            depths[hash] = depth
            for child in children[hash] ?? [] {
                missing[child, default: 0] -= 1
                if missing[child] == 0 { ready.append(child) }
            }
        }
        return depths
    }

    /// The seniority of each device: 0 for the founding one, and one more than that of whoever added it. A device that
    /// claims to add itself gains nothing.
    private func ranks(_ topological: [Hash]) throws(SyncError) -> [DeviceID: Int] {
        var ranks: [DeviceID: Int] = [:]
        for hash in topological {
            guard let record = records[hash], let device = try record.change.addedKeys?.device else { continue }
            let rank: Int? =
                switch record.signer {
                case .recovery: 0
                case .device where hash == group: 0
                case .device(let id) where id == device: nil
                case .device(let id): ranks[id].map { $0 + 1 }
                }
            if let rank { ranks[device] = min(rank, ranks[device] ?? .max) }
        }
        return ranks
    }

    /// A record and everything before it.
    private func past(of hash: Hash, without known: Set<Hash>) -> Set<Hash> {
        var past: Set<Hash> = []
        var open = [hash]
        while let next = open.popLast() {
            guard !known.contains(next), past.insert(next).inserted else { continue }
            open += records[next]?.parents ?? []
        }
        return past
    }
}

extension MembershipRecord.Change {
    /// The keys of a device that the change brings.
    var addedKeys: PublicKeys? {
        switch self {
        case .founding(let keys, _), .addition(let keys): keys
        case .revocation, .rekeying: nil
        }
    }

    /// There is one founding record.
    func isPossible(with group: Hash?) -> Bool {
        if case .founding = self { return group == nil }
        return group != nil
    }
}
