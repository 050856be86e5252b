// SPDX-License-Identifier: MIT

import Persistence
import Security
import SyncTestSupport
import SyncWire
import Testing

@testable import Sync

/// Places that always promise more objects.
@Suite(.timeLimit(.minutes(5))) struct EndlessListingTests {
    private struct EndlessPlace: SyncTransport {
        /// False to give each listing the same cursor.
        let isCounting: Bool
        let place = MemoryPlace()

        func list(after cursor: SyncCursor?) async throws -> SyncListing {
            let number = cursor.flatMap { Int($0.text) } ?? 0
            return SyncListing(
                objects: [], cursor: SyncCursor("\(isCounting ? number + 1 : 0)"), isWhole: number == 0, hasMore: true)
        }

        func read(_ name: SyncObjectName) async throws -> [UInt8] { try await place.read(name) }
        func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws { try await place.create(name, bytes) }
        func remove(_ name: SyncObjectName) async throws { try await place.remove(name) }
        func changes() -> AsyncStream<Void> { place.changes() }
    }

    private func isInvalidAnswer(_ error: any Error) -> Bool { (error as? SyncError)?.code == .invalidAnswer }

    @Test(arguments: [true, false]) func `a listing without an end is refused`(isCounting: Bool) async throws {
        var pages = ListingPages(EndlessPlace(isCounting: isCounting), after: SyncCursor("0"))
        var count = 0
        await #expect {
            while try await pages.next() != nil, count < 1_000_000 { count += 1 }
        } throws: { isInvalidAnswer($0) }
        #expect(isCounting ? count > 1_000 : count == 1)
    }

    @Test func `an exchange and a recovery end at such a place`() async throws {
        let place = EndlessPlace(isCounting: false)
        let database = try await Database.inMemory()
        try await database.migrate(SyncDevice.migrations)
        await #expect {
            _ = try await SyncDevice.recover(
                with: SecretKeys(), at: place, in: database, keys: SecretKeys(), name: "desk")
        } throws: { isInvalidAnswer($0) }
        let device = try await SyncDevice.found(
            in: database, keys: SecretKeys(), recovery: SecretKeys().publicKeys, name: "desk")
        await #expect {
            _ = try await device.sync(with: place, now: { 1_700_000_000_000 }, isWhole: true)
        } throws: { isInvalidAnswer($0) }
        await database.close()
    }
}
