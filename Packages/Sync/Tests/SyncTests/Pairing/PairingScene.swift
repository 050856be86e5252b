// SPDX-License-Identifier: MIT

import Concurrency
import Persistence
import Security
import SyncTestSupport
import SyncWire
import TestKit

@testable import Sync

/// A group of one device, a device without one, and the place between them.
final class PairingScene: Sendable {
    let place = MemoryPlace()
    let member: SyncDevice
    let keys: SecretKeys
    let id: DeviceID
    let database: Database
    /// They stand still unless a test moves them.
    let memberClock = ManualClock()
    let newcomerClock = ManualClock()
    /// Words as the persons saw them.
    let seen = Monitor<[String: PairingQuestion]>([:])

    init() async throws {
        (keys, database) = (try SecretKeys(), try await Self.database())
        id = try keys.publicKeys.device
        member = try await SyncDevice.found(
            in: Self.database(), keys: SecretKeys(), recovery: SecretKeys().publicKeys, name: "laptop")
        try await sync(member)
    }

    static func database() async throws -> Database {
        let database = try await Database.inMemory()
        try await database.migrate(SyncDevice.migrations)
        return database
    }

    func sync(_ device: SyncDevice) async throws {
        _ = try await device.sync(with: place, now: { 1_700_000_000_000 }, isWhole: true)
    }

    /// The new device, after it joined.
    func newcomer() async throws -> SyncDevice {
        let device = try await SyncDevice.open(in: database, keys: keys)
        try await sync(device)
        return device
    }

    /// The person looks at the words of both devices.
    func compare(_ name: String) -> @Sendable (PairingQuestion) async throws -> Bool {
        { [seen] question in
            seen.withLock { $0[name] = question }
            try await seen.wait { $0.count == 2 }
            return seen.withLock { Set($0.values.map(\.words)).count == 1 }
        }
    }

    func offer(
        _ seal: PairingSeal, over transport: (any SyncTransport)? = nil, times: PairingTimes = .standard,
        confirm: (@Sendable (PairingQuestion) async throws -> Bool)? = nil
    ) async throws -> PairedDevice {
        try await member.offer(
            seal, over: transport ?? place, now: { 1_700_000_000_000 }, times: times, clock: memberClock,
            confirm: confirm ?? compare("laptop"))
    }

    func accept(
        _ seal: PairingSeal, over transport: (any SyncTransport)? = nil, times: PairingTimes = .standard,
        confirm: (@Sendable (PairingQuestion) async throws -> Bool)? = nil
    ) async throws -> SyncDevice {
        try await SyncDevice.accept(
            seal, over: transport ?? place, in: database, keys: keys, name: "phone", times: times,
            clock: newcomerClock, confirm: confirm ?? compare("phone"))
    }

    /// The pairing's objects at the place.
    func leftovers() async throws -> [String] {
        try await place.list(after: nil).objects.map(\.name.text).filter { $0.hasPrefix("p-") }
    }

    /// The devices of the group, as the member knows them.
    func members() async throws -> Set<DeviceID> {
        Set(try await member.devices().filter(\.isActive).map(\.id))
    }

    /// The records that add the new device.
    func additions() async throws -> [Hash] {
        try await member.replica.read { [keys] replica, _ in
            replica.roster.graph.records.values.filter { $0.change == .addition(keys.publicKeys) }.map(\.hash)
        }
    }
}

extension PairingSeal {
    /// A seal that costs nothing, as one of a fresh code.
    init() throws { try self.init(master: SymmetricKey()) }
}

/// The outcome of a side, for tests that run both.
func outcome<Value: Sendable>(_ body: @Sendable () async throws -> Value) async -> Result<Value, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
}

extension Result where Failure == any Error {
    var code: SyncError.Code? {
        guard case .failure(let error) = self else { return nil }
        return (error as? SyncError)?.code
    }
}
