// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Sync
import SyncTestSupport
import SyncWire
import Testing

@testable import DataSync

/// A place that can be read and takes nothing.
struct FullPlaceTests {
    struct FullPlace: SyncTransport {
        let place: MemoryPlace

        func list(after cursor: SyncCursor?) async throws -> SyncListing { try await place.list(after: cursor) }
        func read(_ name: SyncObjectName) async throws -> [UInt8] { try await place.read(name) }
        func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
            throw SyncError(code: .full, message: "There is no room.")
        }
        func remove(_ name: SyncObjectName) async throws {}
        func changes() -> AsyncStream<Void> { place.changes() }
    }

    @Test func `what arrives at a device that cannot write is shown`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Hello")
        try await Home.settle(first)
        await #expect {
            _ = try await second.sync.exchange(
                with: FullPlace(place: second.place), now: { 1_700_000_000_000 }, isWhole: true)
        } throws: { ($0 as? SyncError)?.code == .full }
        #expect(try await second.repository.messages(in: conversation.id).map(\.text) == ["Hello"])
    }
}
