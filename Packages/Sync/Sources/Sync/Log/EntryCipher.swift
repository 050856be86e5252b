// SPDX-License-Identifier: MIT

import Security

/// Seals and opens the entries of one device's log in one epoch.
///
/// Each device has a key of its own in each epoch, so the nonces of two never meet under one key.
struct EntryCipher: Sendable {
    private let box: AEAD
    private let context: [UInt8]

    init(group: Hash, device: DeviceID, epoch: Hash, key: SymmetricKey) throws(SyncError) {
        box = try Crypto.box(Crypto.derive(.entry, from: key, salt: device.bytes))
        context = group.bytes + epoch.bytes + device.bytes
    }

    func seal(_ content: EntryContent, sequence: UInt64) throws(SyncError) -> [UInt8] {
        try Crypto.seal(Padding.pad(content.encoded), with: box, context: context(sequence))
    }

    func open(_ sealed: [UInt8], sequence: UInt64, device: DeviceID) throws(SyncError) -> EntryContent {
        let padded = try Crypto.open(sealed, with: box, context: context(sequence))
        return try EntryContent(Padding.unpad(padded), device: device)
    }

    private func context(_ sequence: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(fixed: context)
        writer.write(sequence)
        return writer.bytes
    }
}
