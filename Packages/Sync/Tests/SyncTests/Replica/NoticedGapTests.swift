// SPDX-License-Identifier: MIT

import Concurrency
import SyncTestSupport
import SyncWire
import Testing

@testable import Sync

/// The findings of a device about its own log and the group, at a place that loses objects.
struct NoticedGapTests {
    private let place = SimulatedPlace()
    private let laptop: SimulatedDevice

    init() async throws {
        laptop = try SimulatedDevice(name: "laptop", clock: 1_700_000_000_000)
        let (keys, recovery) = (laptop.keys, try SecretKeys().publicKeys)
        _ = try await laptop.storage.write(isDurable: true) { tables in
            _ = try Replica.found(keys: keys, recovery: recovery, name: "laptop", tables)
        }
        for number in 1...3 as ClosedRange<UInt8> {
            let record = SyncRecordKey(kind: 2, id: [UInt8](repeating: 1, count: 16))
            try await laptop.write([SyncChange(record, [SyncField(1, .last): [number]])])
            _ = try await exchange()
        }
    }

    private func exchange() async throws -> [SyncFinding] {
        let view = SimulatedPlace.View(place: place, reader: laptop.id) {
        } weather: {
            SimulatedPlace.Weather()
        }
        return try await laptop.round(view, isWhole: true).findings
    }

    private func name(_ first: UInt64, _ last: UInt64) -> SyncObjectName {
        .log(device: laptop.id.bytes, first: first, last: last)
    }

    @Test func `entries that are gone from the midst of a log are named and go out again`() async throws {
        place.state.withLock { $0.objects[name(2, 2)] = nil }
        let findings = try await exchange()
        #expect(findings.map(\.kind) == [.missing] && findings.map(\.subject) == ["entries 2 to 2"])
        #expect(place.state.withLock { $0.objects[name(2, 3)] } != nil)
        #expect(try await exchange().isEmpty)
    }

    @Test func `a finding of an exchange that fails is told by the next one`() async throws {
        place.state.withLock { state in
            state.objects[name(3, 3)] = nil
            state.isFull = true
        }
        let error = await #expect(throws: SyncError.self) { try await exchange() }
        #expect(error?.code == .full)
        place.recover()
        #expect(try await exchange().map(\.kind) == [.rolledBack])
        #expect(try await exchange().isEmpty)
    }

    @Test func `a record of devices whose parent is withheld is named`() async throws {
        let (phone, tablet) = (try SecretKeys().publicKeys, try SecretKeys().publicKeys)
        for keys in [phone, tablet] {
            try await laptop.replica.write { try $0.change(.addition(keys, name: "other"), $1) }
        }
        _ = try await exchange()
        let records = try await laptop.replica.read { replica, _ in replica.roster.graph.records }
        let group = try await laptop.replica.read { replica, _ in replica.group }
        let parent = try #require(records.values.first { $0.parents == [group] })
        place.state.withLock { $0.objects[parent.name]?.isHidden = true }
        let newcomer = try SimulatedDevice(name: "phone", clock: 0)
        let founding = records[group]?.bytes ?? []
        try await newcomer.storage.write(isDurable: true) { try Replica.join(group: group, founding: founding, $0) }
        let view = SimulatedPlace.View(place: place, reader: newcomer.id) {
        } weather: {
            SimulatedPlace.Weather()
        }
        let findings = try await newcomer.round(view, isWhole: true).findings
        #expect(
            findings.map(\.kind) == [.missing] && findings.allSatisfy { $0.subject.hasPrefix("records of devices") })
    }
}
