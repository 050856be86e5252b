// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The authentication codes of one address, and the tags of one network, under each root key that is accepted.
///
/// A record moves to the key in use when it is stored. The number of statements depends on the number of keys alone, so
/// that unknown addresses cost as much as known ones.
struct AddressNames: Sendable {
    /// The address's code under the key in use.
    let key: Data
    /// Its codes under the other keys.
    let others: [Data]
    /// The network's keyed hash under the key in use, stored beside an address instead of the network: rows do not
    /// reveal a person's location.
    let network: String
    let otherNetworks: Set<String>

    /// The codes, in the order of ``AuthKeys``.
    var keys: [Data] { [key] + others }

    /// The address's record, as one under the key in use.
    nonisolated(nonsending) func record(in store: any AuthReading) async throws -> AddressRecord? {
        var found: [AddressRecord] = []
        for key in keys {
            if let record = try await store.address(key: key) { found.append(record) }
        }
        guard var record = found.first else { return nil }
        record.key = key
        for other in found.dropFirst() { record.merge(other) }
        record.renameNetworks(otherNetworks, to: network)
        return record
    }

    /// Stores a record that ``record(in:)`` found, or a new one.
    nonisolated(nonsending) func put(_ record: AddressRecord, in store: any AuthTransaction) async throws {
        for key in others { try await store.remove(address: key) }
        try await store.put(record)
    }
}

extension AddressRecord {
    /// Takes over the record of the same address under another root key.
    fileprivate mutating func merge(_ other: AddressRecord) {
        account = account ?? other.account
        proofs = (proofs + other.proofs).sorted { $0.createdAt > $1.createdAt }
        sends = (sends + other.sends).sorted { $0.time < $1.time }
        failures += other.failures
    }

    fileprivate mutating func renameNetworks(_ tags: Set<String>, to tag: String) {
        guard !tags.isEmpty else { return }
        for index in proofs.indices where tags.contains(proofs[index].network) { proofs[index].network = tag }
        for index in sends.indices where tags.contains(sends[index].network) { sends[index].network = tag }
    }
}
