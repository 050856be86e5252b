// SPDX-License-Identifier: MIT

import Security

/// Adding a device, by a code that a person carries from one to the other.
///
/// Both devices show six words. They are the same only if nobody between the devices changed a message, even somebody
/// who knows the code: each side's part of the words is fixed before it sees the other's.
enum Pairing {
    /// The member's side.
    ///
    /// - Parameter admit: Adds the device to the group under its name, brings that to the place, and returns the record's
    ///   hash. It may be called again for a device that was added before and did not hear of it.
    static func offer(
        _ seal: PairingSeal, of group: PairingGroup, over transport: any SyncTransport, times: PairingTimes,
        clock: some Clock<Duration>, confirm: @escaping @Sendable (PairingQuestion) async throws -> Bool,
        admit: @escaping @Sendable (PublicKeys, _ name: String) async throws -> Hash
    ) async throws -> PairedDevice {
        let machine = try PairingMember(group, seal: seal, times: times, random: random())
        let driver = PairingDriver(seal: seal, transport: transport, times: times, clock: clock) { work in
            switch work {
            case .ask(let question): .agreed(try await confirm(question))
            case .admit(let keys, let name): .admitted(try await admit(keys, name))
            case .join: throw SyncError.invalid("a member does not join")
            }
        }
        return try await driver.run(machine)
    }

    /// The newcomer's side.
    ///
    /// - Parameter join: Begins to follow the group with this founding record. It may be called again for the same group.
    static func accept(
        _ seal: PairingSeal, keys: SecretKeys, name: String, over transport: any SyncTransport, times: PairingTimes,
        clock: some Clock<Duration>, confirm: @escaping @Sendable (PairingQuestion) async throws -> Bool,
        join: @escaping @Sendable (_ group: Hash, _ founding: [UInt8]) async throws -> Void
    ) async throws -> PairedGroup {
        let machine = PairingNewcomer(keys, name: name, seal: seal, times: times, random: try random())
        let driver = PairingDriver(seal: seal, transport: transport, times: times, clock: clock) { work in
            switch work {
            case .ask(let question): return .agreed(try await confirm(question))
            case .join(let group, let founding):
                try await join(group, founding)
                return .joined
            case .admit: throw SyncError.invalid("a newcomer adds nobody")
            }
        }
        return try await driver.run(machine)
    }

    private static func random() throws(SyncError) -> [UInt8] {
        try Crypto.failing { try SecureRandom.bytes(PairingMessage.randomByteCount) }
    }
}
