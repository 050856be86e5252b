// SPDX-License-Identifier: MIT

import Security

/// The first message of a pairing.
struct PairingOffer: Sendable, Hashable {
    let group: Hash
    let founding: [UInt8]
    let device: DeviceID
    let name: String
    /// The hash of the random number that the member shows after the answer. So neither side, nor anyone between them,
    /// can choose its message after it has seen all that the words depend on.
    let commitment: Hash

    var encoded: [UInt8] {
        var writer = PairingMessage.writer()
        writer.write(fixed: group.bytes)
        writer.write(founding)
        writer.write(fixed: device.bytes)
        writer.write(Array(name.utf8))
        writer.write(fixed: commitment.bytes)
        return writer.bytes
    }

    init(group: Hash, founding: [UInt8], device: DeviceID, name: String, commitment: Hash) {
        (self.group, self.founding, self.device) = (group, founding, device)
        (self.name, self.commitment) = (DeviceName.clean(name), commitment)
    }

    /// Reads an offer, whose founding record must be genuine.
    init(_ bytes: [UInt8]) throws(SyncError) {
        var reader = try PairingMessage.reader(bytes)
        let group = try reader.hash()
        let founding = try reader.string()
        guard try MembershipGraph(founding: MembershipRecord(founding)).group == group else {
            throw .invalid("the founding record is another group's")
        }
        guard let device = DeviceID(try reader.fixed(16)) else { throw .invalid("an id has another length") }
        let name = String(decoding: try reader.string(), as: UTF8.self)
        self.init(group: group, founding: founding, device: device, name: name, commitment: try reader.hash())
        try reader.finish()
    }

    static func commitment(to random: [UInt8]) throws(SyncError) -> Hash {
        try Hash(of: Crypto.Label.pairing.bytes + random)
    }
}

/// The second message of a pairing.
///
/// The newcomer signs it. So it can go on after a crash with the answer that lies at the place and no other, and the
/// member knows that the newcomer has the secret halves of its keys.
struct PairingAnswer: Sendable, Hashable {
    let keys: PublicKeys
    let name: String
    /// The hash of the offer that it answers.
    let offer: Hash
    let random: [UInt8]
    let encoded: [UInt8]

    init(_ keys: SecretKeys, name: String, offer: [UInt8], random: [UInt8]) throws(SyncError) {
        var writer = PairingMessage.writer()
        writer.write(fixed: keys.publicKeys.bytes)
        writer.write(Array(DeviceName.clean(name).utf8))
        writer.write(fixed: try Hash(of: offer).bytes)
        writer.write(fixed: random)
        writer.write(fixed: try Crypto.sign(.pairing, writer.bytes, with: keys.signing))
        try self.init(writer.bytes)
    }

    /// Reads an answer, whose signature must fit.
    init(_ bytes: [UInt8]) throws(SyncError) {
        var reader = try PairingMessage.reader(bytes)
        keys = try PublicKeys(reader.fixed(PublicKeys.byteCount))
        name = DeviceName.clean(String(decoding: try reader.string(), as: UTF8.self))
        offer = try reader.hash()
        random = try reader.fixed(PairingMessage.randomByteCount)
        let signed = Array(bytes[..<reader.position])
        let signature = try reader.fixed(Ed25519.signatureByteCount)
        try reader.finish()
        guard Crypto.isValid(.pairing, signature, of: signed, by: keys.signing) else {
            throw .invalid("the new device's signature does not fit")
        }
        encoded = bytes
    }
}

/// The later messages of a pairing: yes or no, about everything that was said before.
struct PairingDecision: Sendable, Hashable {
    let digest: Hash
    let isYes: Bool
    /// The record that added the newcomer; in an admission alone.
    var record: Hash?

    var encoded: [UInt8] {
        var writer = PairingMessage.writer()
        writer.write(fixed: digest.bytes)
        writer.write(isYes ? 1 : 0)
        writer.write(record?.bytes ?? [])
        return writer.bytes
    }

    init(digest: Hash, isYes: Bool, record: Hash? = nil) {
        (self.digest, self.isYes, self.record) = (digest, isYes, record)
    }

    init(_ bytes: [UInt8], digest: Hash) throws(SyncError) {
        var reader = try PairingMessage.reader(bytes)
        self.digest = try reader.hash()
        guard self.digest == digest else { throw .invalid("a message of another pairing") }
        switch try reader.number() {
        case 0: isYes = false
        case 1: isYes = true
        default: throw .invalid("neither yes nor no")
        }
        let record = try reader.string()
        self.record = Hash(record)
        guard record.isEmpty || self.record != nil else { throw .invalid("a hash has another length") }
        try reader.finish()
    }
}

enum PairingMessage {
    static let version: UInt64 = 1
    static let randomByteCount = 32
    /// Longer objects are no messages of a pairing.
    static let byteLimit = 1 << 16

    static func writer() -> ByteWriter {
        var writer = ByteWriter()
        writer.write(version)
        return writer
    }

    static func reader(_ bytes: [UInt8]) throws(SyncError) -> ByteReader {
        var reader = ByteReader(bytes)
        guard try reader.number() == version else {
            throw SyncError(
                code: .newer, message: "The other device has a newer Parley. Update this one to pair them.")
        }
        return reader
    }

    /// The hash of everything that both sides must have in common.
    static func digest(offer: [UInt8], answer: [UInt8], random: [UInt8]) throws(SyncError) -> Hash {
        var writer = ByteWriter()
        writer.write(fixed: Crypto.Label.pairing.bytes)
        writer.write(offer)
        writer.write(answer)
        writer.write(fixed: random)
        return try Hash(of: writer.bytes)
    }

    /// The first 66 bits of a digest as words.
    static func words(of digest: Hash) -> [String] {
        let bits = digest.bytes.prefix(9).flatMap { byte in (0..<8).map { Int(byte >> (7 - $0) & 1) } }
        return (0..<6).map { word in
            WordList.word(at: bits[word * 11..<(word + 1) * 11].reduce(0) { $0 << 1 | $1 })
        }
    }
}
