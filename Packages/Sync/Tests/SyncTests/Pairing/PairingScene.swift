// SPDX-License-Identifier: MIT

import Concurrency
import Security
import SyncTestSupport
import SyncWire
import TestKit

@testable import Sync

/// A group of one device, a device without one, and the place between them.
final class PairingScene: Sendable {
    let place = MemoryPlace()
    let member: SimulatedDevice
    let newcomer: SimulatedDevice
    /// They stand still unless a test moves them.
    let memberClock = ManualClock()
    let newcomerClock = ManualClock()
    /// Words as the persons saw them.
    let seen = Monitor<[String: PairingQuestion]>([:])
    let admitted = Guarded(0)

    init() async throws {
        member = try SimulatedDevice(name: "laptop", clock: 1_700_000_000_000)
        newcomer = try SimulatedDevice(name: "phone", clock: 1_700_000_000_000)
        let (keys, recovery) = (member.keys, try SecretKeys().publicKeys)
        try await member.storage.write(isDurable: true) { tables in
            _ = try Replica.found(keys: keys, recovery: recovery, name: "laptop", tables)
        }
        try await sync(member)
    }

    func sync(_ device: SimulatedDevice) async throws {
        let round = SyncRound(
            replica: device.replica, transport: place, now: { 1_700_000_000_000 }, isWhole: true, acknowledges: false)
        _ = try await round()
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
        let group = try await member.replica.read { replica, _ in replica.pairingGroup }
        return try await Pairing.offer(
            seal, of: group, over: transport ?? place, times: times, clock: memberClock,
            confirm: confirm ?? compare("laptop")
        ) { [self] keys, name in
            let record = try await member.replica.write { try $0.admit(keys, name: name, $1) }
            try await sync(member)
            admitted.withLock { $0 += 1 }
            return record
        }
    }

    func accept(
        _ seal: PairingSeal, over transport: (any SyncTransport)? = nil, times: PairingTimes = .standard,
        confirm: (@Sendable (PairingQuestion) async throws -> Bool)? = nil
    ) async throws -> PairedGroup {
        let storage = newcomer.storage
        return try await Pairing.accept(
            seal, keys: newcomer.keys, name: "phone", over: transport ?? place, times: times, clock: newcomerClock,
            confirm: confirm ?? compare("phone")
        ) { group, founding in
            try await storage.write(isDurable: true) { try Replica.joinOnce(group: group, founding: founding, $0) }
        }
    }

    /// The pairing's objects at the place.
    func leftovers() async throws -> [String] {
        try await place.list(after: nil).objects.map(\.name.text).filter { $0.hasPrefix("p-") }
    }

    func members() async throws -> Int {
        try await member.replica.read { replica, _ in replica.roster.membership.active.count }
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
