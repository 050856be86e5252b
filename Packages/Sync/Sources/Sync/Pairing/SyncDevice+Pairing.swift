// SPDX-License-Identifier: MIT

public import Persistence

extension SyncDevice {
    /// Offers this device's group under a code, until a new device has joined it.
    ///
    /// The messages are removed from the place at the end, also when the task is cancelled.
    ///
    /// - Parameters:
    ///   - code: Fresh; it is used once.
    ///   - now: The machine's clock in milliseconds since 1970.
    ///   - clock: Measures the lifetime of the code.
    ///   - confirm: Shows the words and returns the person's answer. It must return when its task is cancelled, which
    ///     happens when the other side says no or the time is over.
    /// - Throws: ``SyncError`` with the code `declined` when a person says no, `expired` when no device answers within the
    ///   lifetime, `exists` when the code was used before or by two devices, `invalid` when a message does not fit,
    ///   `notMember` if this device or the new one was removed from the group, and those of the transport except
    ///   `unreachable`; the errors of `confirm`; `CancellationError`.
    public func offer(
        _ code: PairingCode, over transport: some SyncTransport, now: @escaping @Sendable () -> Int64,
        times: PairingTimes = .standard, clock: some Clock<Duration> = .continuous,
        confirm: @escaping @Sendable (PairingQuestion) async throws -> Bool
    ) async throws -> PairedDevice {
        try await offer(
            PairingSeal.make(code), over: transport, now: now, times: times, clock: clock, confirm: confirm)
    }

    func offer(
        _ seal: PairingSeal, over transport: any SyncTransport, now: @escaping @Sendable () -> Int64,
        times: PairingTimes, clock: some Clock<Duration>,
        confirm: @escaping @Sendable (PairingQuestion) async throws -> Bool
    ) async throws -> PairedDevice {
        let group = try await replica.read { replica, _ in
            try replica.requireMembership()
            return replica.pairingGroup
        }
        return try await Pairing.offer(
            seal, of: group, over: transport, times: times, clock: clock, confirm: confirm
        ) { [self] keys, name in
            let record = try await replica.write { try $0.admit(keys, name: name, $1) }
            do {
                _ = try await sync(with: transport, now: now, isWhole: false)
            } catch let error as SyncError where error.code == .unreachable {
                // The record goes to the place with the next exchange, and the new device waits for it.
            }
            return record
        }
    }

    /// Joins the group that another device offers under a code. The next exchange brings its records.
    ///
    /// After a crash the same call goes on, given the same keys. So store the keys before.
    ///
    /// - Parameters:
    ///   - code: The code as the person typed it.
    ///   - database: Has ``migrations``, and no group of which this device is a member.
    ///   - keys: This device's keys.
    ///   - name: This device's name, which only the devices of the group can read; at most 64 characters.
    ///   - clock: Measures the patience of this device.
    ///   - confirm: Shows the words and returns the person's answer. It must return when its task is cancelled.
    /// - Throws: ``SyncError`` with the code `declined` when a person says no, `expired` when no device offers the code
    ///   or the other one does not finish, `exists` when another device used the code or this one has a group,
    ///   `invalid` when a message does not fit, `newer` when the other device's Parley is, and those of the transport
    ///   except `unreachable`; the errors of `confirm` and of the database; `CancellationError`.
    public static func accept(
        _ code: PairingCode, over transport: some SyncTransport, in database: Database, keys: SecretKeys, name: String,
        times: PairingTimes = .standard, clock: some Clock<Duration> = .continuous,
        confirm: @escaping @Sendable (PairingQuestion) async throws -> Bool
    ) async throws -> SyncDevice {
        try await accept(
            PairingSeal.make(code), over: transport, in: database, keys: keys, name: name, times: times, clock: clock,
            confirm: confirm)
    }

    static func accept(
        _ seal: PairingSeal, over transport: any SyncTransport, in database: Database, keys: SecretKeys, name: String,
        times: PairingTimes, clock: some Clock<Duration>,
        confirm: @escaping @Sendable (PairingQuestion) async throws -> Bool
    ) async throws -> SyncDevice {
        let name = try DeviceName.checked(name)
        let storage = SQLiteSyncStorage(database: database)
        try await storage.read { tables in
            // Before the persons compare words in vain. A device that was cut off has a group and is no member yet.
            guard try tables.value(.group) != nil else { return }
            let replica = try Replica(keys: keys, tables)
            guard replica.roster.membership.members[replica.device] == nil else {
                throw SyncError(code: .exists, message: "This device belongs to a group already. Leave it first.")
            }
        }
        _ = try await Pairing.accept(
            seal, keys: keys, name: name, over: transport, times: times, clock: clock, confirm: confirm
        ) { group, founding in
            try await storage.write(isDurable: true) { try Replica.joinOnce(group: group, founding: founding, $0) }
        }
        return try await open(in: database, keys: keys)
    }
}
