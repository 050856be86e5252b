// SPDX-License-Identifier: MIT

import Security

/// Adding a device, by a code that a person carries from one to the other.
///
/// Both devices show six words. They are the same only if nobody between the devices changed a message, even somebody
/// who knows the code: each side's part of the words is fixed before it sees the other's.
public enum Pairing {
    /// Offers this device's group under a code, until a new device has joined it.
    ///
    /// The messages are removed from the place at the end, also when the task is cancelled.
    ///
    /// - Parameters:
    ///   - code: Fresh; it is used once.
    ///   - group: The group, and this device.
    ///   - confirm: Shows the words and returns the person's answer. It must return when its task is cancelled, which
    ///     happens when the other side says no or the time is over.
    ///   - admit: Adds the device to the group under its name, brings that to the place, and returns the record's hash.
    ///     It may be called again for a device that was added before and did not hear of it.
    /// - Throws: ``SyncError`` with the code `declined` when a person says no, `expired` when nobody answers within the
    ///   lifetime, `exists` when the code was used before or by two devices, `invalid` when a message does not fit,
    ///   and those of the transport except `unreachable`; the errors of the closures; `CancellationError`.
    public static func offer(
        _ code: PairingCode, of group: PairingGroup, over transport: any SyncTransport,
        times: PairingTimes = .standard, clock: some Clock<Duration> = .continuous,
        confirm: @escaping @Sendable (PairingQuestion) async throws -> Bool,
        admit: @escaping @Sendable (PublicKeys, _ name: String) async throws -> Hash
    ) async throws -> PairedDevice {
        try await offer(
            PairingSeal.make(code), of: group, over: transport, times: times, clock: clock, confirm: confirm,
            admit: admit)
    }

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

    /// Joins the group that another device offers under a code.
    ///
    /// After a crash the same call goes on, given the same keys. So store the keys before.
    ///
    /// - Parameters:
    ///   - code: The code as the person typed it.
    ///   - keys: This device's keys.
    ///   - name: This device's name, for the group alone; control characters are left out.
    ///   - confirm: As in ``offer(_:of:over:times:clock:confirm:admit:)``.
    ///   - join: Begins to follow the group with this founding record. It may be called again for the same group.
    /// - Throws: As ``offer(_:of:over:times:clock:confirm:admit:)``; `expired` also when no device offers the code.
    public static func accept(
        _ code: PairingCode, keys: SecretKeys, name: String, over transport: any SyncTransport,
        times: PairingTimes = .standard, clock: some Clock<Duration> = .continuous,
        confirm: @escaping @Sendable (PairingQuestion) async throws -> Bool,
        join: @escaping @Sendable (_ group: Hash, _ founding: [UInt8]) async throws -> Void
    ) async throws -> PairedGroup {
        try await accept(
            PairingSeal.make(code), keys: keys, name: name, over: transport, times: times, clock: clock,
            confirm: confirm, join: join)
    }

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
            case .admit: throw SyncError.invalid("a new device adds nobody")
            }
        }
        return try await driver.run(machine)
    }

    private static func random() throws(SyncError) -> [UInt8] {
        try Crypto.failing { try SecureRandom.bytes(PairingMessage.randomByteCount) }
    }
}
