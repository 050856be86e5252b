// SPDX-License-Identifier: MIT

import Concurrency
import Security
import Testing

@testable import Sync

/// Records that a member makes to get more than it should.
struct MembershipClaimsTests {
    /// A device that signs whatever it likes.
    private struct Device {
        let keys: SecretKeys
        let id: DeviceID
        var party: MembershipRecord.Party { .device(id) }

        init() throws {
            keys = try SecretKeys()
            id = try keys.publicKeys.device
        }
    }

    private let (a, b, c, x): (Device, Device, Device, Device)
    private let recovery: SecretKeys
    private let founding: MembershipRecord

    init() throws {
        (a, b, c, x) = (try Device(), try Device(), try Device(), try Device())
        recovery = try SecretKeys()
        founding = try Roster.makeFounding(device: a.keys, recovery: recovery.publicKeys, name: "A")
    }

    private func record(
        _ change: MembershipRecord.Change, by signer: Device, on parents: [MembershipRecord], for readers: [Device],
        seen: [DeviceID: UInt64] = [:], carrying keys: [Hash: SymmetricKey] = [:]
    ) throws -> MembershipRecord {
        var agreements: [MembershipRecord.Party: X25519.PublicKey] = [.recovery: recovery.publicKeys.agreement]
        for reader in readers { agreements[reader.party] = reader.keys.publicKeys.agreement }
        let draft = MembershipRecord.Draft(
            group: founding.hash, parents: parents.map(\.hash), signer: signer.party, change: change, seen: seen,
            readers: agreements, secrets: MembershipRecord.Secrets(keys: keys))
        return try MembershipRecord.make(draft, signing: signer.keys.signing).record
    }

    private func graph(_ records: [MembershipRecord]) throws -> MembershipGraph {
        var graph = try MembershipGraph(founding: founding)
        for record in records { _ = try graph.insert(record) }
        return graph
    }

    @Test func `a device that adds itself does not become senior`() throws {
        let addB = try record(.addition(b.keys.publicKeys), by: a, on: [founding], for: [a, b])
        let addC = try record(.addition(c.keys.publicKeys), by: b, on: [addB], for: [a, b, c])
        let claim = try record(.addition(c.keys.publicKeys), by: c, on: [addC], for: [a, b, c])
        let byC = try record(.revocation(b.id, lastSequence: 0), by: c, on: [claim], for: [a, c])
        let byB = try record(.revocation(c.id, lastSequence: 0), by: b, on: [addC], for: [a, b])
        let membership = try graph([addB, addC, claim, byC, byB]).evaluated()
        #expect(membership.active == [a.id, b.id].sorted())
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `the order of arrival decides nothing`(seed: UInt64) throws {
        let addB = try record(.addition(b.keys.publicKeys), by: a, on: [founding], for: [a, b])
        let addC = try record(.addition(c.keys.publicKeys), by: b, on: [addB], for: [a, b, c])
        // C's addition is no ancestor of what C signed.
        let apart = try record(.addition(x.keys.publicKeys), by: c, on: [founding], for: [a, c, x])
        let byX = try record(.rekeying, by: x, on: [apart, addB], for: [a, b, c, x])
        let byA = try record(.revocation(b.id, lastSequence: 3), by: a, on: [addC], for: [a, c])
        let records = [addB, addC, apart, byX, byA]
        var generator = SplitMix64(seed: seed)
        let (graph, shuffled) = (try graph(records), try graph(records.shuffled(using: &generator)))
        #expect(shuffled.records.count == 6 && shuffled.waiting.isEmpty)
        #expect(shuffled.heads == graph.heads)
        let (evaluated, expected) = (try shuffled.evaluated(), try graph.evaluated())
        #expect(evaluated.accepted == expected.accepted && evaluated.members == expected.members)
    }

    @Test func `a false signature is noticed before the parents are there`() throws {
        let addB = try record(.addition(b.keys.publicKeys), by: a, on: [founding], for: [a, b])
        let later = try record(.rekeying, by: a, on: [addB], for: [a, b])
        let forged = try MembershipRecord(later.bytes.dropLast() + [later.bytes[later.bytes.count - 1] ^ 1])
        var graph = try graph([])
        let error = #expect(throws: SyncError.self) { _ = try graph.insert(forged) }
        #expect(error?.code == .invalid)
        #expect(graph.waiting.isEmpty)
    }

    @Test func `no epoch is written in whose key a removed device was given`() throws {
        let addB = try record(.addition(b.keys.publicKeys), by: a, on: [founding], for: [a, b])
        // B makes a new key and does not know X; A adds X; B gives X the key; A removes X and knows nothing of it.
        let rekeying = try record(.rekeying, by: b, on: [addB], for: [a, b])
        let addX = try record(.addition(x.keys.publicKeys), by: a, on: [addB], for: [a, b, x])
        let key = try #require(try rekeying.key(for: b.party, opening: b.keys.agreement))
        let giving = try record(
            .rekeying, by: b, on: [rekeying, addX], for: [a, b, x], carrying: [rekeying.hash: key])
        let removal = try record(.revocation(x.id, lastSequence: 0), by: a, on: [addX], for: [a, b])
        let graph = try graph([addB, rekeying, addX, giving, removal])
        let membership = try graph.evaluated()
        #expect(membership.active == [a.id, b.id].sorted())
        #expect(membership.accepted.contains(rekeying.hash))
        #expect(!membership.writableEpochs.contains(rekeying.hash))
        #expect(membership.writableEpochs.last == removal.hash)
        // X does have it.
        var ring = KeyRing()
        ring.update(graph, membership, reader: x.party, keys: x.keys)
        #expect(ring.keys[rekeying.hash] != nil && ring.keys[removal.hash] == nil)
    }

    @Test func `a carried key counts only if its epoch committed to it`() throws {
        let addB = try record(.addition(b.keys.publicKeys), by: a, on: [founding], for: [a, b])
        let other = try SymmetricKey()
        let addC = try record(
            .addition(c.keys.publicKeys), by: b, on: [addB], for: [a, b, c], carrying: [addB.hash: other])
        let key = try #require(try addB.key(for: a.party, opening: a.keys.agreement))
        let mended = try record(.rekeying, by: a, on: [addC], for: [a, b, c], carrying: [addB.hash: key])
        var ring = KeyRing()
        let before = try graph([addB, addC])
        ring.update(before, try before.evaluated(), reader: c.party, keys: c.keys)
        #expect(Set(ring.keys.keys) == [addC.hash])
        let after = try graph([addB, addC, mended])
        ring.update(after, try after.evaluated(), reader: c.party, keys: c.keys)
        let found = try #require(ring.keys[addB.hash])
        #expect(found.withUnsafeBytes { Array($0) } == key.withUnsafeBytes { Array($0) })
    }

    @Test func `a device cannot say how far its own log counts`() throws {
        let addX = try record(.addition(x.keys.publicKeys), by: a, on: [founding], for: [a, x])
        let claim = try record(.rekeying, by: x, on: [addX], for: [a, x], seen: [x.id: 1_000, a.id: 7])
        let honest = try record(.rekeying, by: a, on: [claim], for: [a, x], seen: [x.id: 5])
        let records = [founding, addX, claim, honest].map(\.bytes)
        let roster = try #require(
            try Roster(records: records, group: founding.hash, reader: a.party, keys: a.keys))
        #expect(roster.seen(of: x.id) == 5)
        #expect(roster.seen(of: a.id) == 7)
        let next = try roster.makeRecord(.rekeying, heads: [x.id: 5])
        #expect(next.seen == [x.id: 5])
    }

    @Test func `who was removed by the phrase or left is heard out`() throws {
        let addB = try record(.addition(b.keys.publicKeys), by: a, on: [founding], for: [a, b])
        let addC = try record(.addition(c.keys.publicKeys), by: b, on: [addB], for: [a, b, c])
        let removal = MembershipRecord.Change.revocation(a.id, lastSequence: 3)
        let byC = try record(removal, by: c, on: [addC], for: [b, c])
        #expect(try graph([addB, addC, byC]).evaluated().speaking == [a.id, b.id, c.id].sorted())
        let byA = try record(removal, by: a, on: [addC], for: [b, c])
        let agreements = [b, c].map { ($0.party, $0.keys.publicKeys.agreement) }
        let draft = MembershipRecord.Draft(
            group: founding.hash, parents: [byC.hash], signer: .recovery, change: removal, seen: [:],
            readers: Dictionary(uniqueKeysWithValues: agreements + [(.recovery, recovery.publicKeys.agreement)]),
            secrets: MembershipRecord.Secrets(keys: [:]))
        let byPhrase = try MembershipRecord.make(draft, signing: recovery.signing).record
        for records in [[addB, addC, byA], [addB, addC, byC, byPhrase]] {
            #expect(try graph(records).evaluated().speaking == [b.id, c.id].sorted())
        }
    }

    @Test(
        arguments: [
            ("Küche", "Küche"), ("a\u{1B}[31mb\u{202E}c\u{2028}d\n", "a[31mbcd"),
            (String(repeating: "ä", count: 101), String(repeating: "ä", count: 64)),
            (String(repeating: "👍", count: 67), String(repeating: "👍", count: 50)),
        ]) func `a name is shown without controls and cut between characters`(name: String, shown: String)
    {
        #expect(DeviceName.clean(name) == shown)
        #expect(DeviceName.clean(shown) == shown)
    }
}
