// SPDX-License-Identifier: MIT

import Security

/// The keys of the epochs that this device can read, and the names of the devices.
struct KeyRing: Sendable {
    private(set) var keys: [Hash: SymmetricKey] = [:]
    private(set) var names: [DeviceID: String] = [:]
    private var epochs: [[UInt8]: [Hash]] = [:]
    /// Records whose wrapped key was tried, and those whose secrets were read, with the names in them.
    private var tried: Set<Hash> = []
    private var opened: [Hash: [DeviceID: String]] = [:]

    /// The bytes of an epoch's id that an entry names.
    static let prefixByteCount = 8

    /// Opens what new records of the graph have for `reader`.
    ///
    /// A record whose wrapped key or secrets do not open was made so by its writer; it is passed over. A carried key counts
    /// if it is the one to which its own record commits, so the ring depends on the set of records alone.
    mutating func update(
        _ graph: MembershipGraph, _ membership: Membership, reader: MembershipRecord.Party, keys secret: SecretKeys
    ) {
        for (hash, record) in graph.records where tried.insert(hash).inserted {
            if let key = try? record.key(for: reader, opening: secret.agreement) { insert(key, of: hash) }
        }
        var open = keys.keys.filter { opened[$0] == nil }
        while let hash = open.popLast() {
            guard opened[hash] == nil, let key = keys[hash], let record = graph.records[hash] else { continue }
            guard let secrets = try? record.openSecrets(with: key) else {
                opened[hash] = [:]
                continue
            }
            // With a carried epoch whose record is not there yet, the record is read again.
            if record.carried.allSatisfy({ graph.records[$0] != nil }) { opened[hash] = secrets.names }
            for (carried, key) in secrets.keys where keys[carried] == nil {
                guard let isKey = try? graph.records[carried]?.isKey(key), isKey else { continue }
                insert(key, of: carried)
                open.append(carried)
            }
        }
        names = membership.accepted.reduce(into: [:]) { $0.merge(opened[$1] ?? [:]) { $1 } }
    }

    private mutating func insert(_ key: SymmetricKey, of epoch: Hash) {
        keys[epoch] = key
        epochs[Array(epoch.bytes.prefix(Self.prefixByteCount)), default: []].append(epoch)
    }

    /// The epochs that an entry may name: one, unless a device made two whose ids begin alike.
    func epochs(named prefix: [UInt8]) -> [Hash] { epochs[prefix, default: []].sorted() }

    /// True if some ids begin alike.
    var isAmbiguous: Bool { epochs.count < keys.count }
}
