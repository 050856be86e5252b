// SPDX-License-Identifier: MIT

import Security
import SyncWire

/// One part of a snapshot as it lies at a place.
struct SnapshotPart: Sendable, Hashable {
    let epoch: [UInt8]
    let box: [UInt8]
    let signature: [UInt8]

    static let magic = Array("PSS1".utf8)
    /// The most bytes of a part's content, unless a single version has more.
    static let contentByteCount = 1 << 20

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(fixed: Self.magic)
        writer.write(fixed: epoch)
        writer.write(box)
        writer.write(fixed: signature)
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(SyncError) {
        var reader = ByteReader(bytes)
        let magic = try reader.fixed(4)
        guard magic == Self.magic else {
            guard magic.starts(with: Self.magic.dropLast()) else { throw .invalid("this is no snapshot") }
            throw SyncError(code: .newer, message: "A newer Parley made this. Update this one to see it.")
        }
        epoch = try reader.fixed(KeyRing.prefixByteCount)
        box = try reader.string()
        signature = try reader.fixed(Ed25519.signatureByteCount)
        try reader.finish()
    }

    /// The position of a part: the part belongs there and nowhere else.
    struct Position: Sendable, Hashable {
        let group: Hash
        let device: DeviceID
        let number: UInt64
        let part: UInt32
        let parts: UInt32

        var bytes: [UInt8] {
            var writer = ByteWriter()
            writer.write(fixed: group.bytes)
            writer.write(fixed: device.bytes)
            for number in [number, UInt64(part), UInt64(parts)] { writer.write(number) }
            return writer.bytes
        }

        var name: SyncObjectName { .snapshot(device: device.bytes, number: number, part: part, parts: parts) }
    }

    /// Seals and signs a part.
    init(
        _ content: [UInt8], at position: Position, epoch: Hash, key: SymmetricKey, signing: Ed25519.PrivateKey
    ) throws(SyncError) {
        self.epoch = Array(epoch.bytes.prefix(KeyRing.prefixByteCount))
        let cipher = try Self.cipher(position, key)
        box = try Crypto.seal(Padding.pad(content), with: cipher, context: position.bytes + epoch.bytes)
        signature = try Crypto.sign(.snapshot, Self.message(position, self.epoch, box), with: signing)
    }

    func isSigned(at position: Position, by key: Ed25519.PublicKey) -> Bool {
        guard let message = try? Self.message(position, epoch, box) else { return false }
        return Crypto.isValid(.snapshot, signature, of: message, by: key)
    }

    func open(at position: Position, epoch: Hash, key: SymmetricKey) throws(SyncError) -> [UInt8] {
        let cipher = try Self.cipher(position, key)
        return try Padding.unpad(Crypto.open(box, with: cipher, context: position.bytes + epoch.bytes))
    }

    private static func cipher(_ position: Position, _ key: SymmetricKey) throws(SyncError) -> AEAD {
        try Crypto.box(Crypto.derive(.snapshot, from: key, salt: position.device.bytes))
    }

    private static func message(
        _ position: Position, _ epoch: [UInt8], _ box: [UInt8]
    ) throws(SyncError) -> [UInt8] {
        position.bytes + epoch + (try Crypto.hash(box))
    }
}

/// A line of a snapshot's content.
enum SnapshotItem: Sendable, Hashable {
    /// The state is that after these entries of a log.
    case head(DeviceID, LogHead)
    /// The part of an entry about one record, as far as it may still count.
    case change(SyncChange, Stamp, sequence: UInt64)

    func write(to writer: inout ByteWriter) {
        switch self {
        case .head(let device, let head):
            writer.write(0)
            writer.write(fixed: device.bytes)
            writer.write(head.sequence)
            writer.write(fixed: head.hash.bytes)
        case .change(let change, let stamp, let sequence):
            writer.write(1)
            writer.write(stamp.milliseconds)
            writer.write(UInt64(stamp.counter))
            writer.write(fixed: stamp.device.bytes)
            writer.write(sequence)
            writer.write(change)
        }
    }

    /// The items of a part's content: heads in the order of the devices, in the first part alone, and then changes.
    static func items(of content: [UInt8], part: UInt32) throws(SyncError) -> [SnapshotItem] {
        var reader = ByteReader(content)
        var items: [SnapshotItem] = []
        while reader.remaining > 0 {
            let item = try SnapshotItem(&reader)
            if case .head(let device, let head) = item {
                let isInOrder =
                    switch items.last {
                    case nil: true
                    case .head(let last, _): last < device
                    case .change: false
                    }
                guard part == 1, isInOrder else { throw .invalid("a snapshot's heads are out of order") }
                guard head.sequence > 0 else { throw .invalid("a snapshot has a head without an entry") }
            }
            items.append(item)
        }
        return items
    }

    init(_ reader: inout ByteReader) throws(SyncError) {
        func device() throws(SyncError) -> DeviceID {
            guard let device = DeviceID(try reader.fixed(16)) else { throw .invalid("an id has another length") }
            return device
        }
        switch try reader.number() {
        case 0:
            let device = try device()
            let sequence = try reader.sequence(from: 0)
            self = .head(device, LogHead(sequence: sequence, hash: try reader.hash()))
        case 1:
            let milliseconds = try reader.number()
            guard milliseconds < Stamp.millisecondLimit else { throw .invalid("a stamp is of the year 2200 or later") }
            let counter = try reader.number(as: UInt32.self)
            let stamp = Stamp(milliseconds: milliseconds, counter: counter, device: try device())
            let sequence = try reader.sequence()
            self = .change(try SyncChange(&reader), stamp, sequence: sequence)
        default: throw .invalid("an unknown line of a snapshot")
        }
    }
}
