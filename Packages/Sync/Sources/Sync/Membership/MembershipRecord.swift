// SPDX-License-Identifier: MIT

import Security

/// A signed change of the group of devices, with the key of a new epoch for everybody who belongs to it afterwards.
///
/// Records refer to those that their writer knew, and so form a graph without cycles. What they come to is
/// ``MembershipGraph``'s to say; a record alone only promises that its signature fits the keys that it names.
struct MembershipRecord: Sendable, Hashable {
    enum Change: Sendable, Hashable {
        /// The first device, and the keys of the recovery phrase.
        case founding(PublicKeys, recovery: PublicKeys)
        case addition(PublicKeys)
        /// The device's entries end with this one; 0 if it has none that counts.
        case revocation(DeviceID, lastSequence: UInt64)
        /// Nobody comes or goes; the key is new.
        case rekeying
    }

    /// The writer of a record, and the reader of a key.
    enum Party: Sendable, Hashable {
        case device(DeviceID)
        case recovery

        var bytes: [UInt8] {
            switch self {
            case .device(let id): id.bytes
            case .recovery: [UInt8](repeating: 0, count: 16)
            }
        }

        init(_ bytes: [UInt8]) throws(SyncError) {
            if bytes.allSatisfy({ $0 == 0 }) {
                self = .recovery
            } else if let id = DeviceID(bytes) {
                self = .device(id)
            } else {
                throw .invalid("an id has another length")
            }
        }
    }

    /// The group's id: the hash of the founding record; nil in that record.
    let group: Hash?
    /// The hashes of the newest records that the writer knew, in order.
    let parents: [Hash]
    let signer: Party
    let change: Change
    /// The last entries that the writer knew of each log, so that whoever knows the record does not fall behind them.
    let seen: [DeviceID: UInt64]
    /// The public half of the key that wrapped the epoch's.
    let ephemeral: X25519.PublicKey
    /// Derived from the epoch's key, so that no two readers can be given two keys.
    let commitment: [UInt8]
    /// The epoch's key for each reader, in the order of the ids.
    let wraps: [Party: [UInt8]]
    /// The earlier epochs whose keys are in ``secrets``, in order.
    let carried: [Hash]
    /// The keys of ``carried`` and the names of devices, under the epoch's key.
    let secrets: [UInt8]
    let signature: [UInt8]
    /// The SHA-256 of the whole record. It is also the epoch's id.
    let hash: Hash
    let bytes: [UInt8]

    static let magic = Array("PSM1".utf8)
    static let byteLimit = 1 << 20
    static let commitmentByteCount = SymmetricKey.byteCount
    static let wrapByteCount = SymmetricKey.byteCount + AEAD.overhead

    /// Reads a record; its signature is checked by ``isSigned(by:)``.
    init(_ bytes: [UInt8]) throws(SyncError) {
        guard bytes.count <= Self.byteLimit else { throw .invalid("a record of devices is too long") }
        var reader = ByteReader(bytes)
        let magic = try reader.fixed(4)
        guard magic == Self.magic else {
            guard magic.starts(with: Self.magic.dropLast()) else { throw .invalid("this is no record of devices") }
            throw SyncError(
                code: .newer, message: "A newer Parley changed the devices. Update this one, or it cannot go on.")
        }
        let kind = try reader.number()
        let group = kind == 1 ? nil : Hash(try reader.fixed(32))
        var parents: [Hash] = []
        for _ in 0..<(try reader.count(ofItemsOf: 32)) { parents.append(try reader.hash()) }
        let signer = try Party(reader.fixed(16))
        switch kind {
        case 1:
            let keys = try PublicKeys(reader.fixed(PublicKeys.byteCount))
            change = .founding(keys, recovery: try PublicKeys(reader.fixed(PublicKeys.byteCount)))
        case 2: change = .addition(try PublicKeys(reader.fixed(PublicKeys.byteCount)))
        case 3:
            guard case .device(let device) = try Party(reader.fixed(16)) else {
                throw .invalid("the recovery phrase cannot be revoked")
            }
            change = .revocation(device, lastSequence: try reader.sequence(from: 0))
        case 4: change = .rekeying
        default: throw .invalid("an unknown change of devices")
        }
        seen = try reader.positions()
        ephemeral = try reader.agreementKey()
        commitment = try reader.fixed(Self.commitmentByteCount)
        var wraps: [Party: [UInt8]] = [:]
        var last: [UInt8]?
        for _ in 0..<(try reader.count(ofItemsOf: 16 + Self.wrapByteCount)) {
            let id = try reader.fixed(16)
            guard last.map({ $0.lexicographicallyPrecedes(id) }) ?? true else { throw .invalid("readers out of order") }
            last = id
            wraps[try Party(id)] = try reader.fixed(Self.wrapByteCount)
        }
        var carried: [Hash] = []
        for _ in 0..<(try reader.count(ofItemsOf: 32)) { carried.append(try reader.hash()) }
        guard parents == parents.sortedUniquely, carried == carried.sortedUniquely, parents.isEmpty == (group == nil)
        else { throw .invalid("hashes out of order") }
        secrets = try reader.string()
        signature = try reader.fixed(Ed25519.signatureByteCount)
        try reader.finish()
        (self.group, self.parents, self.signer) = (group, parents, signer)
        (self.wraps, self.carried, self.bytes) = (wraps, carried, bytes)
        hash = try Hash(of: bytes)
    }

    /// True if the record was signed with this key.
    func isSigned(by key: Ed25519.PublicKey) -> Bool {
        Crypto.isValid(.membership, signature, of: Array(bytes.dropLast(signature.count)), by: key)
    }

    /// The group that the record is about, also for the founding one.
    var groupID: Hash { group ?? hash }
}

extension [Hash] {
    var sortedUniquely: [Hash] { Set(self).sorted() }
}

extension ByteReader {
    mutating func hash() throws(SyncError) -> Hash {
        guard let hash = Hash(try fixed(32)) else { throw .invalid("a hash is empty") }
        return hash
    }

    /// Numbers of entries by device, in the order of the ids.
    mutating func positions() throws(SyncError) -> [DeviceID: UInt64] {
        var positions: [DeviceID: UInt64] = [:]
        var last: DeviceID?
        for _ in 0..<(try count(ofItemsOf: 17)) {
            guard let device = DeviceID(try fixed(16)), last.map({ $0 < device }) ?? true else {
                throw .invalid("devices out of order")
            }
            last = device
            positions[device] = try sequence(from: 0)
        }
        return positions
    }

    /// The number of an entry.
    mutating func sequence(from first: UInt64 = 1) throws(SyncError) -> UInt64 {
        let number = try number()
        guard (first..<LogHead.sequenceLimit).contains(number) else { throw .invalid("no entry has this number") }
        return number
    }

    mutating func agreementKey() throws(SyncError) -> X25519.PublicKey {
        guard let key = try? X25519.PublicKey(fixed(32)) else { throw .invalid("a public key is not one") }
        return key
    }
}
