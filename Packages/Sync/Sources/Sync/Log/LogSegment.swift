// SPDX-License-Identifier: MIT

import Security
import SyncWire

/// A sealed entry as it lies in a log: the epoch whose key opens it, and the box.
struct SealedEntry: Sendable, Hashable {
    /// The first bytes of the epoch's id.
    let epoch: [UInt8]
    let box: [UInt8]
}

/// The position in a log: how many entries there are, and the hash that commits to all of them.
struct LogHead: Sendable, Hashable {
    let sequence: UInt64
    let hash: Hash

    /// Numbers of entries are below 2^62, more than any device can write.
    static let sequenceLimit = SyncLimit.number

    /// The head of a log without entries.
    static func start(group: Hash, device: DeviceID) throws(SyncError) -> LogHead {
        LogHead(sequence: 0, hash: try Hash(of: Crypto.Label.log.bytes + group.bytes + device.bytes))
    }

    /// The head after one more entry.
    func appending(_ entry: SealedEntry) throws(SyncError) -> LogHead {
        var writer = ByteWriter()
        writer.write(fixed: Crypto.Label.entry.bytes)
        writer.write(fixed: hash.bytes)
        writer.write(sequence + 1)
        writer.write(fixed: entry.epoch)
        writer.write(fixed: entry.box)
        return LogHead(sequence: sequence + 1, hash: try Hash(of: writer.bytes))
    }

    /// The message whose signature makes the head, and so all entries up to it, the device's.
    func message(group: Hash, device: DeviceID) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(fixed: group.bytes)
        writer.write(fixed: device.bytes)
        writer.write(sequence)
        writer.write(fixed: hash.bytes)
        return writer.bytes
    }
}

/// Consecutive entries of a device's log, as they lie at a place: one signature, over the head after the last one.
struct LogSegment: Sendable, Hashable {
    let device: DeviceID
    let first: UInt64
    let entries: [SealedEntry]
    let signature: [UInt8]

    static let magic = Array("PSL1".utf8)
    /// Bytes of a segment besides its entries, at most.
    static let overhead = 4 + 16 + 10 + 10 + Ed25519.signatureByteCount
    static let entryOverhead = KeyRing.prefixByteCount + 10

    var last: UInt64 { first + UInt64(entries.count) - 1 }

    init(device: DeviceID, first: UInt64, entries: [SealedEntry], signature: [UInt8]) {
        (self.device, self.first, self.entries, self.signature) = (device, first, entries, signature)
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(fixed: Self.magic)
        writer.write(fixed: device.bytes)
        writer.write(first)
        writer.write(count: entries.count)
        for entry in entries {
            writer.write(fixed: entry.epoch)
            writer.write(entry.box)
        }
        writer.write(fixed: signature)
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(SyncError) {
        var reader = ByteReader(bytes)
        let magic = try reader.fixed(4)
        guard magic == Self.magic else {
            guard magic.starts(with: Self.magic.dropLast()) else { throw .invalid("this is no log") }
            throw SyncError(code: .newer, message: "A newer Parley wrote this. Update this one to see it.")
        }
        guard let device = DeviceID(try reader.fixed(16)) else { throw .invalid("an id has another length") }
        self.device = device
        first = try reader.number()
        var entries: [SealedEntry] = []
        for _ in 0..<(try reader.count(ofItemsOf: KeyRing.prefixByteCount + 1)) {
            entries.append(SealedEntry(epoch: try reader.fixed(KeyRing.prefixByteCount), box: try reader.string()))
        }
        guard first >= 1, !entries.isEmpty, first <= LogHead.sequenceLimit - UInt64(entries.count) else {
            throw .invalid("a log without entries")
        }
        self.entries = entries
        signature = try reader.fixed(Ed25519.signatureByteCount)
        try reader.finish()
    }
}
