// SPDX-License-Identifier: MIT

import Security

/// The keys of the epochs that this device can read, and the names of the devices.
struct KeyRing: Sendable {
    private(set) var keys: [Hash: SymmetricKey] = [:]
    private(set) var names: [DeviceID: String] = [:]
    private var epochs: [[UInt8]: Hash] = [:]

    /// The bytes of an epoch's id that an entry names.
    static let prefixByteCount = 8

    /// Opens what the records have for `reader`.
    ///
    /// A record whose wrapped key or secrets do not open was made so by its writer; it is passed over.
    init(
        _ graph: MembershipGraph, _ membership: Membership, reader: MembershipRecord.Party, keys secret: SecretKeys
    ) {
        let order = membership.accepted + membership.refused.sorted()
        // A key that was wrapped for this device comes before what another one carries on.
        for hash in order {
            guard let key = try? graph.records[hash]?.key(for: reader, opening: secret.agreement) else { continue }
            insert(key, of: hash)
        }
        for hash in order {
            guard let key = keys[hash], let secrets = try? graph.records[hash]?.openSecrets(with: key) else { continue }
            for (hash, key) in secrets.keys where graph.records[hash] != nil { insert(key, of: hash) }
            if !membership.refused.contains(hash) { names.merge(secrets.names) { $1 } }
        }
    }

    private mutating func insert(_ key: SymmetricKey, of epoch: Hash) {
        guard keys[epoch] == nil else { return }
        keys[epoch] = key
        epochs[Array(epoch.bytes.prefix(Self.prefixByteCount))] = epoch
    }

    /// The key that an entry names, with its whole id.
    func key(named prefix: [UInt8]) -> (epoch: Hash, key: SymmetricKey)? {
        guard let epoch = epochs[prefix], let key = keys[epoch] else { return nil }
        return (epoch, key)
    }
}
