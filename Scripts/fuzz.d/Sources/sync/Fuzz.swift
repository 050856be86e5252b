// SPDX-License-Identifier: MIT

import FoundationEssentials
import FuzzerDriver
import Security
import SyncWire

@testable import Sync
@testable import SyncTransports

/// Where the program starts. A record of devices is longer than what the other targets read.
@_cdecl("sync_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments, longest: 2048) { fuzz($0, $1) }
}

/// The first byte says what the rest is read as. Whatever comes, it is refused or has one encoding: what was read is
/// written as the same bytes. What people type is read as the same once it is written in its one form.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let kind = input.first else { return 0 }
    let bytes = Array(input.dropFirst())
    let text = String(decoding: bytes, as: UTF8.self)
    switch kind % 16 {
    case 0: if let record = try? MembershipRecord(bytes) { check(record.again, bytes) }
    case 1: if let segment = try? LogSegment(bytes) { check(segment.encoded, bytes) }
    case 2: if let part = try? SnapshotPart(bytes) { check(part.encoded, bytes) }
    case 3:
        guard let items = try? SnapshotItem.items(of: bytes, part: 1) else { return 0 }
        var writer = ByteWriter()
        for item in items { item.write(to: &writer) }
        check(writer.bytes, bytes)
    case 4: if let device, let content = try? EntryContent(bytes, device: device) { check(content.encoded, bytes) }
    case 5: if let padded = try? Padding.unpad(bytes) { check(Padding.pad(padded), bytes) }
    case 6:
        // A name is cleaned as it is read, so only the second reading is the same.
        guard let offer = try? PairingOffer(bytes) else { return 0 }
        guard let again = try? PairingOffer(offer.encoded) else { fatalError("an offer is not read again") }
        precondition(again == offer, "an offer changed")
    case 7: if let answer = try? PairingAnswer(bytes) { check(answer.encoded, bytes) }
    case 8:
        guard let digest = Hash(Array(bytes.dropFirst().prefix(32))) else { return 0 }
        if let decision = try? PairingDecision(bytes, digest: digest) { check(decision.encoded, bytes) }
    case 9:
        guard let pasted = try? PairingText(reading: text), let again = try? pasted.text.withExposed({ $0 }) else {
            return 0
        }
        let other = try? PairingText(reading: again).text.withExposed { $0 }
        precondition(other == again, "a text to paste changed")
    case 10:
        guard let code = try? PairingCode(reading: text).text.withExposed({ $0 }) else { return 0 }
        let again = try? PairingCode(reading: code).text.withExposed { $0 }
        precondition(again == code, "a code changed")
    case 11:
        guard let words = try? RecoveryPhrase(reading: Sensitive(bytes)).words.withExposed({ $0 }) else { return 0 }
        let typed = Array(words.joined(separator: " ").utf8)
        let again = try? RecoveryPhrase(reading: Sensitive(typed)).words.withExposed { $0 }
        precondition(again == words, "a phrase changed")
    case 12: if let name = SyncObjectName(text) { precondition(name.text == text, "a name has two spellings") }
    case 13:
        guard let answer = try? JSONDecoder().decode(RelayListing.self, from: Data(bytes)),
            let listing = answer.listing()
        else { return 0 }
        precondition(listing.objects.allSatisfy { $0.size >= 0 }, "a negative size")
        precondition(RelayListing(listing).listing() == listing, "a listing changed")
    case 14:
        var reader = ByteReader(bytes)
        guard let positions = try? reader.positions(), (try? reader.finish()) != nil else { return 0 }
        var writer = ByteWriter()
        writer.write(positions)
        check(writer.bytes, bytes)
    default:
        guard let listing = try? WebDAVListing(bytes) else { return 0 }
        precondition(listing.objects.allSatisfy { $0.size >= 0 }, "a negative size")
    }
    return 0
}

private let device = DeviceID([UInt8](repeating: 7, count: 16))

private func check(_ again: [UInt8], _ bytes: [UInt8]) {
    precondition(again == bytes, "something has two encodings")
}

extension MembershipRecord {
    /// The record, written from what was read of it.
    fileprivate var again: [UInt8] {
        var writer = ByteWriter()
        writer.write(fixed: Self.magic)
        let (number, content): (UInt64, [UInt8]) =
            switch change {
            case .founding(let keys, let recovery): (1, keys.bytes + recovery.bytes)
            case .addition(let keys): (2, keys.bytes)
            case .revocation(let device, _): (3, device.bytes)
            case .rekeying: (4, [])
            }
        writer.write(number)
        if let group { writer.write(fixed: group.bytes) }
        writer.write(parents)
        writer.write(fixed: signer.bytes)
        writer.write(fixed: content)
        if case .revocation(_, let last) = change { writer.write(last) }
        writer.write(seen)
        writer.write(fixed: ephemeral.bytes)
        writer.write(fixed: commitment)
        writer.write(count: wraps.count)
        for (reader, wrap) in wraps.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            writer.write(fixed: reader.bytes)
            writer.write(fixed: wrap)
        }
        writer.write(carried)
        writer.write(secrets)
        writer.write(fixed: signature)
        return writer.bytes
    }
}
