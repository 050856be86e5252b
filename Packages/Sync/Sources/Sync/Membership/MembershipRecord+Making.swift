// SPDX-License-Identifier: MIT

import Security

extension MembershipRecord {
    /// The secret part of a record, for whoever has the epoch's key.
    struct Secrets: Sendable {
        /// Keys of earlier epochs.
        var keys: [Hash: SymmetricKey] = [:]
        /// Names of devices, as their owner reads them.
        var names: [DeviceID: String] = [:]
    }

    /// Everything that a writer decides.
    struct Draft {
        var group: Hash?
        var parents: [Hash]
        var signer: Party
        var change: Change
        var seen: [DeviceID: UInt64]
        /// Everybody who belongs to the group after the change, with the key that wraps for them.
        var readers: [Party: X25519.PublicKey]
        var secrets: Secrets
    }

    /// Makes and signs a record, and the key of its epoch.
    static func make(
        _ draft: Draft, signing key: Ed25519.PrivateKey
    ) throws(SyncError) -> (record: MembershipRecord, key: SymmetricKey) {
        let (epochKey, ephemeral) = try Crypto.failing { (try SymmetricKey(), try X25519.PrivateKey()) }
        var writer = ByteWriter()
        writer.write(fixed: magic)
        writer.write(draft.change.number)
        if let group = draft.group { writer.write(fixed: group.bytes) }
        writer.write(draft.parents.sortedUniquely)
        writer.write(fixed: draft.signer.bytes)
        writer.write(fixed: draft.change.bytes)
        writer.write(draft.seen)
        // The wraps belong to this change: they open in no other record.
        let context = try Crypto.hash(writer.bytes)
        writer.write(fixed: ephemeral.publicKey.bytes)
        writer.write(fixed: try commitment(to: epochKey, context: context))
        writer.write(count: draft.readers.count)
        for (reader, agreement) in draft.readers.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            writer.write(fixed: reader.bytes)
            writer.write(
                fixed: try Crypto.wrap(epochKey, for: agreement, by: ephemeral, context: context + reader.bytes))
        }
        let carried = draft.secrets.keys.keys.sorted()
        writer.write(carried)
        let box = try Crypto.box(Crypto.derive(.secrets, from: epochKey, salt: context))
        writer.write(
            try Crypto.seal(Padding.pad(draft.secrets.encoded(in: carried)), with: box, context: context))
        writer.write(fixed: try Crypto.sign(.membership, writer.bytes, with: key))
        return (try MembershipRecord(writer.bytes), epochKey)
    }

    private static func commitment(to key: SymmetricKey, context: [UInt8]) throws(SyncError) -> [UInt8] {
        try Crypto.derive(.key, from: key, salt: context).withUnsafeBytes { Array($0) }
    }

    /// True for the key of this record's epoch, whoever gave it.
    func isKey(_ key: SymmetricKey) throws(SyncError) -> Bool {
        try Self.commitment(to: key, context: context()) == commitment
    }

    /// The epoch's key, opened by one of its readers; nil if the record has none for them.
    func key(for reader: Party, opening agreement: X25519.PrivateKey) throws(SyncError) -> SymmetricKey? {
        guard let wrapped = wraps[reader] else { return nil }
        let key = try Crypto.unwrap(wrapped, from: ephemeral, by: agreement, context: context() + reader.bytes)
        guard try isKey(key) else { throw .invalid("a wrapped key is not the epoch's") }
        return key
    }

    /// The secret part of the record, opened with its epoch's key.
    func openSecrets(with key: SymmetricKey) throws(SyncError) -> Secrets {
        let context = try context()
        let box = try Crypto.box(Crypto.derive(.secrets, from: key, salt: context))
        return try Secrets(Padding.unpad(Crypto.open(secrets, with: box, context: context)), carried: carried)
    }

    /// The hash of the part before the keys.
    func context() throws(SyncError) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(fixed: Self.magic)
        writer.write(change.number)
        if let group { writer.write(fixed: group.bytes) }
        writer.write(parents)
        writer.write(fixed: signer.bytes)
        writer.write(fixed: change.bytes)
        writer.write(seen)
        return try Crypto.hash(writer.bytes)
    }
}

extension MembershipRecord.Change {
    fileprivate var number: UInt64 {
        switch self {
        case .founding: 1
        case .addition: 2
        case .revocation: 3
        case .rekeying: 4
        }
    }

    fileprivate var bytes: [UInt8] {
        switch self {
        case .founding(let keys, let recovery): return keys.bytes + recovery.bytes
        case .addition(let keys): return keys.bytes
        case .revocation(let device, let lastSequence):
            var writer = ByteWriter()
            writer.write(fixed: device.bytes)
            writer.write(lastSequence)
            return writer.bytes
        case .rekeying: return []
        }
    }
}

extension MembershipRecord.Secrets {
    fileprivate func encoded(in order: [Hash]) -> [UInt8] {
        var writer = ByteWriter()
        for hash in order { keys[hash]?.withUnsafeBytes { writer.write(fixed: Array($0)) } }
        writer.write(count: names.count)
        for (device, name) in names.sorted(by: { $0.key < $1.key }) {
            writer.write(fixed: device.bytes)
            writer.write(Array(DeviceName.clean(name).utf8))
        }
        return writer.bytes
    }

    fileprivate init(_ bytes: [UInt8], carried: [Hash]) throws(SyncError) {
        var reader = ByteReader(bytes)
        for hash in carried {
            guard let key = try? SymmetricKey(reader.fixed(32)) else { throw .invalid("an earlier key is missing") }
            keys[hash] = key
        }
        var last: DeviceID?
        for _ in 0..<(try reader.count(ofItemsOf: 17)) {
            guard let device = DeviceID(try reader.fixed(16)), last.map({ $0 < device }) ?? true else {
                throw .invalid("devices out of order")
            }
            last = device
            names[device] = DeviceName.clean(String(decoding: try reader.string(), as: UTF8.self))
        }
        try reader.finish()
    }
}

extension ByteWriter {
    mutating func write(_ positions: [DeviceID: UInt64]) {
        write(count: positions.count)
        for (device, sequence) in positions.sorted(by: { $0.key < $1.key }) {
            write(fixed: device.bytes)
            write(sequence)
        }
    }

    mutating func write(_ hashes: [Hash]) {
        write(count: hashes.count)
        for hash in hashes { write(fixed: hash.bytes) }
    }
}
