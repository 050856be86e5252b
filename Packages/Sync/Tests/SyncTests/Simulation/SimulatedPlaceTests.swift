// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire
import Testing

@testable import Sync

/// The place of the simulation: the checks know what it shows.
struct SimulatedPlaceTests {
    private let place = SimulatedPlace()
    private let view: SimulatedPlace.View

    init() throws {
        let reader = try SecretKeys().publicKeys.device
        view = SimulatedPlace.View(place: place, reader: reader) {
        } weather: {
            SimulatedPlace.Weather()
        }
    }

    private func name(_ number: UInt64) -> SyncObjectName {
        .log(device: [UInt8](repeating: 1, count: 16), first: number, last: number)
    }

    @Test(arguments: [true, false]) func `a place that is set back shows what was removed since`(
        countsOn: Bool
    ) async throws {
        for number in 1...3 as ClosedRange<UInt64> {
            try await view.create(name(number), [UInt8(number)])
            if number == 2 { try await view.remove(name(1)) }
        }
        #expect(place.state.withLock { $0.rollBack(to: 3, countsOn: countsOn) }.isEmpty)
        #expect(place.state.withLock { $0.rollBack(to: 1, countsOn: countsOn) } == [name(2), name(3)])
        let listed = try await view.list(after: nil).objects.map(\.name)
        #expect(listed == [name(1)])
        #expect(Set(listed) == Set(place.state.withLock { $0.shown(to: view.reader) }.keys))
        #expect(try await view.read(name(1)) == [1])
    }
}
