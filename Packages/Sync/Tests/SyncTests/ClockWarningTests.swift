// SPDX-License-Identifier: MIT

import Concurrency
import SyncTestSupport
import SyncWire
import Testing

@testable import Sync

/// Clocks that are far from each other.
struct ClockWarningTests {
    private static let now: Int64 = 1_700_000_000_000
    private static let hour: Int64 = 3_600_000
    private let other: DeviceID

    init() throws { other = try SecretKeys().publicKeys.device }

    private func stamp(_ milliseconds: Int64, counter: UInt32 = 0) -> Stamp {
        Stamp(milliseconds: UInt64(milliseconds), counter: counter, device: other)
    }

    private func warning(place: Int64? = nil, _ stamps: [Stamp] = []) -> ClockWarning? {
        ClockWarning(place: place, stamps: stamps, now: Self.now)
    }

    @Test(arguments: [hour, -hour, 300_001, -300_001]) func `a place whose clock is far is named`(lead: Int64) {
        #expect(warning(place: lead) == ClockWarning(witness: .place, lead: lead))
    }

    @Test func `clocks within five minutes count as right`() {
        for lead in [0, 300_000, -300_000] as [Int64] { #expect(warning(place: lead) == nil) }
        #expect(warning(place: 0, [stamp(Self.now + 300_000)]) == nil)
        #expect(warning() == nil)
    }

    @Test func `a device whose clock is ahead is named`() {
        let ahead = stamp(Self.now + Self.hour)
        #expect(warning([ahead]) == ClockWarning(witness: .device(other), lead: -Self.hour))
        #expect(warning(place: 1_000, [ahead]) == ClockWarning(witness: .device(other), lead: -Self.hour))
    }

    @Test func `a stamp that is old or followed another one says nothing`() {
        #expect(warning([stamp(Self.now - Self.hour), stamp(Self.now + Self.hour, counter: 1)]) == nil)
    }

    @Test func `the time that an answer takes does not count`() {
        for (time, lead) in [(5, 5), (10, 0), (15, 0), (20, 0), (25, -5)] as [(Int64, Int64)] {
            #expect(ClockWarning.lead(over: time, askedAt: 10, answeredAt: 20) == lead)
        }
        // A clock that is set back while the answer is on its way.
        #expect(ClockWarning.lead(over: 15, askedAt: 20, answeredAt: 10) == 5)
    }

    @Test func `a warning is kept as it is`() throws {
        for witness in [.place, .device(other)] as [ClockWarning.Witness] {
            for lead in [1, -1, Int64.max] {
                let warning = ClockWarning(witness: witness, lead: lead)
                #expect(try ClockWarning(warning.encoded) == warning)
            }
        }
    }

    @Test func `an exchange notes a clock that is wrong until it is right`() async throws {
        let place = TellingPlace()
        let device = try SimulatedDevice(name: "laptop", clock: Self.now)
        let (keys, recovery) = (device.keys, try SecretKeys().publicKeys)
        try await device.storage.write(isDurable: true) { tables in
            _ = try Replica.found(keys: keys, recovery: recovery, name: "laptop", tables)
        }
        func kept() throws -> ClockWarning? { try MemoryTables(device.storage.state).clockWarning }
        device.mind.withLock { $0.clock += Self.hour }
        _ = try await device.round(place, isWhole: false)
        #expect(try kept() == ClockWarning(witness: .place, lead: Self.hour))
        device.mind.withLock { $0.clock -= Self.hour }
        _ = try await device.round(place, isWhole: false)
        #expect(try kept() == nil)
    }

    /// A place that tells the time.
    private struct TellingPlace: SyncTransport {
        let place = MemoryPlace()

        func list(after cursor: SyncCursor?) async throws -> SyncListing {
            var listing = try await place.list(after: cursor)
            listing.time = ClockWarningTests.now
            return listing
        }

        func read(_ name: SyncObjectName) async throws -> [UInt8] { try await place.read(name) }
        func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws { try await place.create(name, bytes) }
        func remove(_ name: SyncObjectName) async throws { try await place.remove(name) }
        func changes() -> AsyncStream<Void> { place.changes() }
    }
}
