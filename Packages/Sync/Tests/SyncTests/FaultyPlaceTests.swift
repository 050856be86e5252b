// SPDX-License-Identifier: MIT

import Sync
import SyncTestSupport
import SyncWire
import Testing

/// A place with one fault, which the contract must find.
private struct FaultyPlace: SyncTransport {
    enum Fault: CaseIterable {
        case overwrites, listsHalf, losesTheLastByte, keepsRemoved, hidesTheFirst, takesAnySize, hasNoEvents
        case forgetsCursors
    }

    let fault: Fault
    let place = MemoryPlace()

    func list(after cursor: SyncCursor?) async throws -> SyncListing {
        let listing = try await place.list(after: fault == .forgetsCursors ? nil : cursor)
        switch fault {
        case .listsHalf:
            return SyncListing(
                objects: listing.objects, cursor: listing.cursor, isWhole: listing.isWhole, hasMore: false)
        case .hidesTheFirst:
            return SyncListing(
                objects: Array(listing.objects.dropFirst()), cursor: listing.cursor, isWhole: listing.isWhole,
                hasMore: listing.hasMore)
        default: return listing
        }
    }

    func read(_ name: SyncObjectName) async throws -> [UInt8] {
        let bytes = try await place.read(name)
        return fault == .losesTheLastByte ? bytes.dropLast() : bytes
    }

    func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        if fault == .overwrites { try await place.remove(name) }
        try await place.create(name, fault == .takesAnySize ? Array(bytes.prefix(SyncLimit.objectByteCount)) : bytes)
    }

    func remove(_ name: SyncObjectName) async throws {
        if fault != .keepsRemoved { try await place.remove(name) }
    }

    func changes() -> AsyncStream<Void> {
        fault == .hasNoEvents ? AsyncStream { $0.finish() } : place.changes()
    }
}

struct FaultyPlaceTests {
    @Test(.timeLimit(.minutes(5)), arguments: FaultyPlace.Fault.allCases)
    private func `the contract finds the fault`(fault: FaultyPlace.Fault) async {
        var broken: [String] = []
        for check in SyncTransportContract.checks {
            let place = FaultyPlace(fault: fault)
            do {
                try await check.run(SyncTransportContract.Subject(device: { place }))
            } catch {
                broken.append(check.description)
            }
        }
        #expect(!broken.isEmpty)
    }
}
