// SPDX-License-Identifier: MIT

import SyncWire
import Testing

struct RelayListingTests {
    private static let name = SyncObjectName.membership(hash: [UInt8](repeating: 1, count: 32))

    @Test func `a listing is read as it is written`() {
        let listing = SyncListing(
            objects: [SyncObject(name: Self.name, size: 7)], cursor: SyncCursor("a-1"), isWhole: true, hasMore: true)
        #expect(RelayListing(listing).listing() == listing)
    }

    @Test func `names of a later program are left out`() {
        let items = [RelayListing.Item(name: "z-1", size: 1), .init(name: Self.name.text, size: 2)]
        let listing = RelayListing(objects: items, cursor: "a-2", whole: false, more: true).listing()
        #expect(listing?.objects == [SyncObject(name: Self.name, size: 2)] && listing?.hasMore == true)
        let later = RelayListing(objects: [items[0]], cursor: "a-2", whole: false, more: true).listing()
        #expect(later?.objects.isEmpty == true && later?.cursor == SyncCursor("a-2"))
    }

    @Test func `a listing that contradicts itself is none`() {
        let negative = RelayListing(
            objects: [.init(name: Self.name.text, size: -1)], cursor: "", whole: true, more: false)
        #expect(negative.listing() == nil)
        // A client would ask for ever.
        #expect(RelayListing(objects: [], cursor: "a-1", whole: false, more: true).listing() == nil)
    }
}
