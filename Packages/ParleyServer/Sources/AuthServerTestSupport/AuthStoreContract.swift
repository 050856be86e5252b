// SPDX-License-Identifier: MIT

public import AuthServer
import FoundationEssentials

/// The contract of every `AuthStore`. Each check throws ``AuthStoreContract/Violation`` with the fault.
public struct AuthStoreContract: Sendable {
    /// A broken promise of a store.
    public struct Violation: Error, CustomStringConvertible {
        /// The promise that was broken.
        public let description: String
    }

    let makeStore: @Sendable () async throws -> any AuthStore

    /// - Parameter makeStore: Makes an empty store.
    public init(_ makeStore: @escaping @Sendable () async throws -> any AuthStore) {
        self.makeStore = makeStore
    }

    /// Each check under its name.
    public var checks: [(name: String, run: @Sendable () async throws -> Void)] {
        [
            ("an address comes back as it was put", addressesComeBack),
            ("each link finds its address, and one that was taken away finds nothing", linksAreFound),
            ("an address that was removed is gone, and its links go to the one put in its place", addressesMove),
            ("what is stored at an account is replaced", metadataIsReplaced),
            ("an account is added once", accountsAreUnique),
            ("accounts are found by page, part of the address and id", accountsAreListed),
            ("sessions come back, the newest first", sessionsComeBackInOrder),
            ("an authorization code is taken out once", codesAreTakenOnce),
            ("what a failed transaction wrote is gone", failureLeavesNothing),
            ("a transaction sees what it wrote", ownWritesAreSeen),
            ("transactions at once do not lose an update", updatesAreNotLost),
            ("a session that is exchanged at once is exchanged in turn", exchangesAreInTurn),
            ("an exchange ends what was confirmed, and a confirmation undoes no exchange", confirmationsAreInTurn),
            ("of those who add an account for one address at once, one does", oneAccountIsAdded),
            ("transactions that read what another changes are as if in turn", nothingIsSkewed),
            ("a cancelled transaction leaves nothing", cancellationLeavesNothing),
            ("what is old is forgotten and accounts stay", theOldIsForgotten),
            ("a removed account leaves nothing that names it", aRemovedAccountLeavesNothing),
            ("an erasure is remembered until it was done long ago", erasuresAreRemembered),
        ]
    }

    let start = AuthTime(milliseconds: 1_767_225_600_000)

    func require(_ isTrue: Bool, _ promise: String) throws {
        guard isTrue else { throw Violation(description: promise) }
    }

    func bytes(_ number: UInt8) -> Data { Data(repeating: number, count: 32) }

    func record(
        _ number: UInt8, link: UInt8, account: String? = nil, at time: AuthTime? = nil
    ) -> AddressRecord {
        let first = time ?? start
        return AddressRecord(
            key: bytes(number), account: account,
            proofs: [
                Proof(
                    link: bytes(link + 100), code: nil, createdAt: first + .seconds(1), network: "n"),
                Proof(
                    link: bytes(link), code: bytes(3), createdAt: first, challenge: "c", newcomer: "a@b.example",
                    redirect: "parley://signed-in", network: "n", attempts: 2, foreignAttempts: 1,
                    usedAt: start + .seconds(9)),
            ],
            sends: [Send(start), Send(start + .seconds(1), from: "n_-9")], failures: 7)
    }

    func account(_ id: String) throws -> Account {
        Account(id: id, address: try EmailAddress("\(id)@b.example"), createdAt: start)
    }

    func session(_ id: String, of account: String, at time: AuthTime) -> Session {
        Session(
            id: id, account: account, salt: bytes(9), createdAt: time, device: "a “device” — 机", generation: 4,
            rotatedAt: time + .seconds(5), confirmedGeneration: 3, end: .reuse)
    }
}
