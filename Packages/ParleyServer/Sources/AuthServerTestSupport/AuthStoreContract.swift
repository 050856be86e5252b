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

    private let makeStore: @Sendable () async throws -> any AuthStore

    /// - Parameter makeStore: Makes an empty store.
    public init(_ makeStore: @escaping @Sendable () async throws -> any AuthStore) {
        self.makeStore = makeStore
    }

    /// Each check under its name.
    public var checks: [(name: String, run: @Sendable () async throws -> Void)] {
        [
            ("an address comes back as it was put", addressesComeBack),
            ("each link finds its address, and one that was taken away finds nothing", linksAreFound),
            ("what is stored at an account is replaced", metadataIsReplaced),
            ("an account is added once", accountsAreUnique),
            ("sessions come back, the newest first", sessionsComeBackInOrder),
            ("an authorization code is taken out once", codesAreTakenOnce),
            ("what a failed transaction wrote is gone", failureLeavesNothing),
            ("a transaction sees what it wrote", ownWritesAreSeen),
            ("transactions at once do not lose an update", updatesAreNotLost),
            ("what is old is forgotten and accounts stay", theOldIsForgotten),
            ("a removed account leaves nothing that names it", aRemovedAccountLeavesNothing),
            ("an erasure is remembered until it was done long ago", erasuresAreRemembered),
        ]
    }

    private let start = AuthTime(milliseconds: 1_767_225_600_000)

    private func require(_ isTrue: Bool, _ promise: String) throws {
        guard isTrue else { throw Violation(description: promise) }
    }

    private func bytes(_ number: UInt8) -> Data { Data(repeating: number, count: 32) }

    private func record(
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

    private func account(_ id: String) throws -> Account {
        Account(id: id, address: try EmailAddress("\(id)@b.example"), createdAt: start)
    }

    private func session(_ id: String, of account: String, at time: AuthTime) -> Session {
        Session(
            id: id, account: account, salt: bytes(9), createdAt: time, device: "a “device” — 机", generation: 4,
            rotatedAt: time + .seconds(5), end: .reuse)
    }

    @Sendable private func addressesComeBack() async throws {
        let store = try await makeStore()
        let record = record(1, link: 2)
        try await store.transaction { try $0.put(record) }
        try require(try await store.read { try $0.address(key: record.key) } == record, "every field comes back")
        let bare = AddressRecord(key: record.key)
        try await store.transaction { try $0.put(bare) }
        try require(try await store.read { try $0.address(key: record.key) } == bare, "put replaces")
        let other = bytes(8)
        try require(try await store.read { try $0.address(key: other) } == nil, "what was not put is nil")
    }

    @Sendable private func linksAreFound() async throws {
        let store = try await makeStore()
        let (first, second) = (record(1, link: 2), record(1, link: 4))
        try await store.transaction { try $0.put(first) }
        for link in first.proofs.map(\.link) {
            try require(try await store.read { try $0.address(link: link) } == first, "each link is found")
        }
        try await store.transaction { try $0.put(second) }
        for link in second.proofs.map(\.link) {
            try require(try await store.read { try $0.address(link: link) } == second, "each new link is found")
        }
        for link in first.proofs.map(\.link) {
            try require(try await store.read { try $0.address(link: link) } == nil, "a link taken away is not found")
        }
    }

    @Sendable private func metadataIsReplaced() async throws {
        let store = try await makeStore()
        let account = try account("a")
        let metadata = try AccountMetadata(json: Array(#"{"a":[1,2.5,true,null,{"ä":"\u0000"}]}"#.utf8))
        try await store.transaction { store in
            try store.add(account)
            try store.put(metadata, of: "a")
        }
        try require(try await store.read { try $0.account(id: "a") }?.metadata == metadata, "it comes back")
        try await store.transaction { try $0.put(AccountMetadata(), of: "a") }
        try require(try await store.read { try $0.account(address: account.address) } == account, "it is replaced")
    }

    @Sendable private func accountsAreUnique() async throws {
        let store = try await makeStore()
        let account = try account("a")
        try await store.transaction { try $0.add(account) }
        try require(try await store.read { try $0.account(id: "a") } == account, "an account comes back")
        let found = try await store.read { try $0.account(address: account.address) }
        try require(found == account, "an account is found by its address")
        let same = Account(id: "b", address: account.address, createdAt: start)
        let isRefused = (try? await store.transaction { try $0.add(same) }) == nil
        try require(isRefused, "a second account of one address is refused")
        try require(try await store.read { try $0.account(id: "b") } == nil, "what was refused is not there")
    }

    @Sendable private func sessionsComeBackInOrder() async throws {
        let store = try await makeStore()
        let sessions = [
            session("one", of: "a", at: start), session("two", of: "a", at: start + .seconds(2)),
            session("three", of: "a", at: start + .seconds(1)), session("four", of: "b", at: start),
        ]
        let accounts = [try account("a"), try account("b")]
        try await store.transaction { store in
            for account in accounts { try store.add(account) }
            for session in sessions { try store.put(session) }
        }
        let found = try await store.read { try $0.sessions(of: "a") }
        try require(found == [sessions[1], sessions[2], sessions[0]], "all of one account, the newest first")
        try require(try await store.read { try $0.session(id: "four") } == sessions[3], "a session by its name")
    }

    @Sendable private func codesAreTakenOnce() async throws {
        let store = try await makeStore()
        let code = AuthorizationCode(code: bytes(5), account: "a", challenge: "c", createdAt: start)
        let account = try account("a")
        try await store.transaction { store in
            try store.add(account)
            try store.add(code)
        }
        let taken = try await withThrowingTaskGroup(of: AuthorizationCode?.self) { group in
            for _ in 0..<20 {
                group.addTask { try await store.transaction { try $0.takeAuthorizationCode(code.code) } }
            }
            return try await group.reduce(into: [AuthorizationCode]()) { if let code = $1 { $0.append(code) } }
        }
        try require(taken == [code], "of twenty that take a code at once, one gets it")
    }

    @Sendable private func failureLeavesNothing() async throws {
        struct Failure: Error {}
        let store = try await makeStore()
        let (old, new) = (record(1, link: 2), record(1, link: 4))
        let code = AuthorizationCode(code: bytes(5), account: "a", challenge: "c", createdAt: start)
        let account = try account("a")
        try await store.transaction { store in
            try store.add(account)
            try store.put(old)
            try store.add(code)
        }
        try? await store.transaction { store in
            try store.put(new)
            _ = try store.takeAuthorizationCode(code.code)
            throw Failure()
        }
        try require(try await store.read { try $0.address(key: old.key) } == old, "a replaced row is back")
        try require(
            try await store.transaction { try $0.takeAuthorizationCode(code.code) } == code, "a taken code is back")
    }

    @Sendable private func ownWritesAreSeen() async throws {
        let store = try await makeStore()
        let (old, new) = (record(1, link: 2), record(1, link: 4))
        try await store.transaction { try $0.put(old) }
        let seen = try await store.transaction { store in
            try store.put(new)
            return (
                try store.address(key: new.key), try store.address(link: new.proofs[0].link),
                try store.address(link: old.proofs[0].link)
            )
        }
        try require(seen.0 == new && seen.1 == new && seen.2 == nil, "what was put is read in the same transaction")
    }

    @Sendable private func updatesAreNotLost() async throws {
        let store = try await makeStore()
        let prefix = NetworkPrefix(address: "192.0.2.1")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await store.transaction { store in
                        let limits = try store.limits(of: prefix) ?? PrefixLimits()
                        let count = limits.sends.emptyAt.milliseconds + 1
                        try store.put(
                            PrefixLimits(sends: RateBucket(emptyAt: AuthTime(milliseconds: count))), for: prefix)
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = try await store.read { try $0.limits(of: prefix)?.sends.emptyAt.milliseconds }
        try require(count == 100, "of 100 tasks that count at once, each counts: \(count ?? 0)")
    }

    @Sendable private func aRemovedAccountLeavesNothing() async throws {
        let store = try await makeStore()
        let (own, other) = (record(1, link: 2, account: "a"), record(4, link: 5, account: "b"))
        let codes = ["a", "b"].map {
            AuthorizationCode(code: bytes($0 == "a" ? 6 : 7), account: $0, challenge: "c", createdAt: start)
        }
        let accounts = [try account("a"), try account("b")]
        let sessions = [session("one", of: "a", at: start), session("two", of: "b", at: start)]
        try await store.transaction { store in
            for account in accounts { try store.add(account) }
            for record in [own, other] { try store.put(record) }
            for session in sessions { try store.put(session) }
            for code in codes { try store.add(code) }
        }
        try await store.transaction { try $0.remove(account: "a") }
        let link = bytes(2)
        let left = try await store.transaction { store in
            (
                try store.account(id: "a") == nil && store.account(address: accounts[0].address) == nil
                    && store.address(key: own.key) == nil && store.address(link: link) == nil
                    && store.sessions(of: "a").isEmpty && store.session(id: "one") == nil
                    && store.takeAuthorizationCode(codes[0].code) == nil,
                try store.account(id: "b") == accounts[1] && store.address(key: other.key) == other
                    && store.sessions(of: "b") == [sessions[1]]
                    && store.takeAuthorizationCode(codes[1].code) == codes[1]
            )
        }
        try require(left.0, "nothing of a removed account is left")
        try require(left.1, "everything of another account stays")
        let again = Account(id: "c", address: accounts[0].address, createdAt: start)
        try await store.transaction { try $0.add(again) }
        try require(try await store.read { try $0.account(id: "c") } == again, "the address can be used again")
    }

    @Sendable private func erasuresAreRemembered() async throws {
        let store = try await makeStore()
        let open = Erasure(id: "r1", account: "a", askedAt: start, counts: ["results": 2])
        let recent = Erasure(
            id: "r2", account: "b", askedAt: start + .seconds(1), counts: [:], doneAt: start + .seconds(9))
        let old = Erasure(
            id: "r3", account: "c", askedAt: start + .seconds(2), counts: [:], doneAt: start + .seconds(3))
        try await store.transaction { store in for erasure in [open, recent, old] { try store.put(erasure) } }
        try require(try await store.read { try $0.erasure(of: "a") } == open, "an erasure comes back")
        try require(try await store.read { try $0.erasures() } == [open, recent, old], "all of them, the oldest first")
        let later = start + .seconds(5)
        try await store.transaction { try $0.forget(sessionsBefore: later, restBefore: later) }
        try require(
            try await store.read { try $0.erasures() } == [open, recent], "one that was done long ago is forgotten")
    }

    @Sendable private func theOldIsForgotten() async throws {
        let store = try await makeStore()
        let later = start + .seconds(1_000)
        let known = record(1, link: 2, account: "a")
        let (stale, fresh) = (record(3, link: 4), record(5, link: 6, at: start + .seconds(2_000)))
        let sessions = [session("old", of: "a", at: start), session("new", of: "a", at: later)]
        let code = AuthorizationCode(code: bytes(5), account: "a", challenge: "c", createdAt: start)
        let account = try account("a")
        try await store.transaction { store in
            try store.add(account)
            for record in [known, stale, fresh] { try store.put(record) }
            for session in sessions { try store.put(session) }
            try store.add(code)
            try store.forget(sessionsBefore: later, restBefore: later)
        }
        let left = try await store.transaction { store in
            (
                try [known, stale, fresh].map { try store.address(key: $0.key) },
                try store.sessions(of: "a").map(\.id), try store.takeAuthorizationCode(code.code)
            )
        }
        try require(left.0 == [known, nil, fresh], "an address without an account and a fresh mail is forgotten")
        try require(left.1 == ["new"] && left.2 == nil, "old sessions and codes are forgotten")
    }
}
