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
            ("of those who add an account for one address at once, one does", oneAccountIsAdded),
            ("transactions that read what another changes are as if in turn", nothingIsSkewed),
            ("a cancelled transaction leaves nothing", cancellationLeavesNothing),
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
        try await store.transaction { try await $0.put(record) }
        try require(try await store.read { try await $0.address(key: record.key) } == record, "every field comes back")
        let bare = AddressRecord(key: record.key)
        try await store.transaction { try await $0.put(bare) }
        try require(try await store.read { try await $0.address(key: record.key) } == bare, "put replaces")
        let other = bytes(8)
        try require(try await store.read { try await $0.address(key: other) } == nil, "what was not put is nil")
    }

    @Sendable private func linksAreFound() async throws {
        let store = try await makeStore()
        let (first, second) = (record(1, link: 2), record(1, link: 4))
        try await store.transaction { try await $0.put(first) }
        for link in first.proofs.map(\.link) {
            try require(try await store.read { try await $0.address(link: link) } == first, "each link is found")
        }
        try await store.transaction { try await $0.put(second) }
        for link in second.proofs.map(\.link) {
            try require(try await store.read { try await $0.address(link: link) } == second, "each new link is found")
        }
        for link in first.proofs.map(\.link) {
            try require(
                try await store.read { try await $0.address(link: link) } == nil, "a link taken away is not found")
        }
    }

    @Sendable private func addressesMove() async throws {
        let store = try await makeStore()
        let (old, other) = (record(1, link: 2), record(9, link: 50))
        let new = AddressRecord(key: bytes(2), proofs: old.proofs, sends: old.sends, failures: old.failures)
        try await store.transaction { store in
            try await store.put(old)
            try await store.put(other)
        }
        try await store.transaction { store in
            try await store.remove(address: old.key)
            try require(try await store.address(key: old.key) == nil, "its own removal is seen")
            try require(try await store.address(link: old.proofs[0].link) == nil, "its links are gone with it")
            try await store.put(new)
        }
        try require(try await store.read { try await $0.address(key: old.key) } == nil, "the old one is gone")
        for link in new.proofs.map(\.link) {
            try require(try await store.read { try await $0.address(link: link) } == new, "a link finds the new one")
        }
        let missing = bytes(77)
        try await store.transaction { store in
            try await store.remove(address: new.key)
            try await store.remove(address: missing)
        }
        try require(try await store.read { try await $0.address(key: new.key) } == nil, "the new one is gone")
        for link in new.proofs.map(\.link) {
            try require(try await store.read { try await $0.address(link: link) } == nil, "its links are gone, too")
        }
        try require(try await store.read { try await $0.address(key: other.key) } == other, "others stay")
    }

    @Sendable private func metadataIsReplaced() async throws {
        let store = try await makeStore()
        let account = try account("a")
        let changed = Account(
            id: "a", address: account.address, createdAt: account.createdAt,
            metadata: try AccountMetadata(json: Array(#"{"a":[1,2.5,true,null,{"ä":"\u0000"}]}"#.utf8)),
            confirmedAt: start + .seconds(1), invitedAt: start + .seconds(2), bannedUntil: start + .seconds(3))
        try await store.transaction { store in
            try await store.add(account)
            try await store.put(changed)
        }
        try require(try await store.read { try await $0.account(id: "a") } == changed, "it comes back")
        try await store.transaction { try await $0.put(account) }
        try require(
            try await store.read { try await $0.account(address: account.address) } == account, "it is replaced")
        let added = Account(
            id: "b", address: try EmailAddress("b@b.example"), createdAt: start, metadata: changed.metadata,
            confirmedAt: start, invitedAt: start, bannedUntil: start)
        try await store.transaction { try await $0.add(added) }
        try require(try await store.read { try await $0.account(id: "b") } == added, "it is stored with a new account")
    }

    @Sendable private func accountsAreListed() async throws {
        let store = try await makeStore()
        let names = ["ada", "bob", "a_a", "cyd", "dan"]
        let accounts = try names.enumerated().map { index, name in
            Account(
                id: "id-\(name)", address: try EmailAddress("\(name)@b.example"),
                createdAt: start + .seconds(index / 2))
        }
        try await store.transaction { store in for account in accounts { try await store.add(account) } }
        func ids(_ part: String?, _ offset: Int = 0, _ limit: Int = 10) async throws -> [String] {
            try await store.read { store in
                try await store.accounts(matching: part, offset: offset, limit: limit).map(\.id)
            }
        }
        let all = ["id-dan", "id-cyd", "id-a_a", "id-bob", "id-ada"]
        try require(try await ids(nil) == all, "the newest first; of the same time, the greatest id")
        try require(try await ids(nil, 1, 2) == ["id-cyd", "id-a_a"], "a page begins after its offset")
        try require(try await ids(nil, 5) == [], "there is nothing after the last")
        try require(try await ids("a_a") == ["id-a_a"], "a part has no wildcards")
        let wild = [try await ids("%"), try await ids("\\")]
        try require(wild == [[], []], "and no escapes")
        try require(try await ids("b@b") == ["id-bob"], "a part of the address finds")
        let named = [try await ids("id-cyd"), try await ids("id-")]
        try require(named == [["id-cyd"], []], "the whole id finds")
        let counts = try await store.read { store in
            [try await store.accountCount(matching: nil), try await store.accountCount(matching: "da")]
        }
        try require(counts == [5, 2], "all that match are counted: \(counts)")
        try await store.transaction { store in
            try await store.remove(account: "id-dan")
            let left = try await store.accountCount(matching: nil)
            try require(left == 4, "a transaction counts what it wrote")
        }
    }

    @Sendable private func accountsAreUnique() async throws {
        let store = try await makeStore()
        let account = try account("a")
        try await store.transaction { try await $0.add(account) }
        try require(try await store.read { try await $0.account(id: "a") } == account, "an account comes back")
        let found = try await store.read { try await $0.account(address: account.address) }
        try require(found == account, "an account is found by its address")
        let same = Account(id: "b", address: account.address, createdAt: start)
        let isRefused = (try? await store.transaction { try await $0.add(same) }) == nil
        try require(isRefused, "a second account of one address is refused")
        try require(try await store.read { try await $0.account(id: "b") } == nil, "what was refused is not there")
    }

    @Sendable private func sessionsComeBackInOrder() async throws {
        let store = try await makeStore()
        let sessions = [
            session("one", of: "a", at: start), session("two", of: "a", at: start + .seconds(2)),
            session("three", of: "a", at: start + .seconds(1)), session("four", of: "b", at: start),
        ]
        let accounts = [try account("a"), try account("b")]
        try await store.transaction { store in
            for account in accounts { try await store.add(account) }
            for session in sessions { try await store.put(session) }
        }
        let found = try await store.read { try await $0.sessions(of: "a") }
        try require(found == [sessions[1], sessions[2], sessions[0]], "all of one account, the newest first")
        try require(try await store.read { try await $0.session(id: "four") } == sessions[3], "a session by its name")
    }

    @Sendable private func codesAreTakenOnce() async throws {
        let store = try await makeStore()
        let code = AuthorizationCode(code: bytes(5), account: "a", challenge: "c", createdAt: start)
        let account = try account("a")
        try await store.transaction { store in
            try await store.add(account)
            try await store.add(code)
        }
        let taken = try await withThrowingTaskGroup(of: AuthorizationCode?.self) { group in
            for _ in 0..<20 {
                group.addTask { try await store.transaction { try await $0.takeAuthorizationCode(code.code) } }
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
            try await store.add(account)
            try await store.put(old)
            try await store.add(code)
        }
        try? await store.transaction { store in
            try await store.put(new)
            _ = try await store.takeAuthorizationCode(code.code)
            throw Failure()
        }
        try require(try await store.read { try await $0.address(key: old.key) } == old, "a replaced row is back")
        try require(
            try await store.transaction { try await $0.takeAuthorizationCode(code.code) } == code,
            "a taken code is back")
    }

    @Sendable private func ownWritesAreSeen() async throws {
        let store = try await makeStore()
        let (old, new) = (record(1, link: 2), record(1, link: 4))
        try await store.transaction { try await $0.put(old) }
        let seen = try await store.transaction { store in
            try await store.put(new)
            return (
                try await store.address(key: new.key), try await store.address(link: new.proofs[0].link),
                try await store.address(link: old.proofs[0].link)
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
                        let limits = try await store.limits(of: prefix) ?? PrefixLimits()
                        let count = limits.sends.emptyAt.milliseconds + 1
                        try await store.put(
                            PrefixLimits(sends: RateBucket(emptyAt: AuthTime(milliseconds: count))), for: prefix)
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = try await store.read { try await $0.limits(of: prefix)?.sends.emptyAt.milliseconds }
        try require(count == 100, "of 100 tasks that count at once, each counts: \(count ?? 0)")
    }

    @Sendable private func exchangesAreInTurn() async throws {
        let store = try await makeStore()
        let (account, first) = (try account("a"), session("s", of: "a", at: start))
        try await store.transaction { store in
            try await store.add(account)
            try await store.put(first)
        }
        let shown = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    try await store.transaction { store in
                        guard let found = try await store.session(id: "s") else { return -1 }
                        let next = Session(
                            id: found.id, account: found.account, salt: found.salt, createdAt: found.createdAt,
                            device: found.device, generation: found.generation + 1, rotatedAt: found.rotatedAt)
                        try await store.put(next)
                        return next.generation
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        try require(
            shown == Set<Int64>(5...34), "of 30 exchanges at once, each finds the one before: \(shown.sorted())")
    }

    @Sendable private func oneAccountIsAdded() async throws {
        let store = try await makeStore()
        let address = try EmailAddress("one@b.example")
        let added = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<10 {
                let account = Account(id: "a\(number)", address: address, createdAt: start)
                group.addTask {
                    try await store.transaction { store in
                        guard try await store.account(address: address) == nil else { return false }
                        try await store.add(account)
                        return true
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        try require(added == 1, "\(added) of ten added an account for the same address")
    }

    /// Each transaction ends its own session if both are alive, so that one of them finds the other's ended.
    @Sendable private func nothingIsSkewed() async throws {
        for round in 0..<10 {
            let store = try await makeStore()
            let account = try account("a")
            let sessions = ["one", "two"].map { id in
                Session(
                    id: id, account: "a", salt: bytes(9), createdAt: start, device: "\(round)", rotatedAt: start)
            }
            try await store.transaction { store in
                try await store.add(account)
                for session in sessions { try await store.put(session) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for session in sessions {
                    let own = Session(
                        id: session.id, account: "a", salt: session.salt, createdAt: start, device: session.device,
                        rotatedAt: start, end: .revoked)
                    group.addTask {
                        try await store.transaction { store in
                            let alive = try await store.sessions(of: "a").filter { $0.end == nil }
                            if alive.count == 2 { try await store.put(own) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let left = try await store.read { try await $0.sessions(of: "a").count { $0.end == nil } }
            try require(left == 1, "of two sessions that may not both end, \(left) are left")
        }
    }

    @Sendable private func cancellationLeavesNothing() async throws {
        let store = try await makeStore()
        let record = record(1, link: 2)
        let task = Task {
            try await store.transaction { store in
                try await store.put(record)
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
        }
        let isCancelled: Bool
        do {
            try await task.value
            isCancelled = false
        } catch is CancellationError {
            isCancelled = true
        }
        try require(isCancelled, "the cancelled task hears of it")
        try require(try await store.read { try await $0.address(key: record.key) } == nil, "and nothing is written")
        try await store.transaction { try await $0.put(record) }
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
            for account in accounts { try await store.add(account) }
            for record in [own, other] { try await store.put(record) }
            for session in sessions { try await store.put(session) }
            for code in codes { try await store.add(code) }
        }
        try await store.transaction { try await $0.remove(account: "a") }
        let link = bytes(2)
        let left = try await store.transaction { store in
            let rest: [Any?] = [
                try await store.account(id: "a"), try await store.account(address: accounts[0].address),
                try await store.address(key: own.key), try await store.address(link: link),
                try await store.sessions(of: "a").first, try await store.session(id: "one"),
                try await store.takeAuthorizationCode(codes[0].code),
            ]
            let (account, address) = (try await store.account(id: "b"), try await store.address(key: other.key))
            let (session, code) = (
                try await store.sessions(of: "b"), try await store.takeAuthorizationCode(codes[1].code)
            )
            return (
                rest.allSatisfy { $0 == nil },
                account == accounts[1] && address == other && session == [sessions[1]] && code == codes[1]
            )
        }
        try require(left.0, "nothing of a removed account is left")
        try require(left.1, "everything of another account stays")
        let again = Account(id: "c", address: accounts[0].address, createdAt: start)
        try await store.transaction { try await $0.add(again) }
        try require(try await store.read { try await $0.account(id: "c") } == again, "the address can be used again")
    }

    @Sendable private func erasuresAreRemembered() async throws {
        let store = try await makeStore()
        let open = Erasure(id: "r1", account: "a", askedAt: start, counts: ["results": 2])
        let recent = Erasure(
            id: "r2", account: "b", askedAt: start + .seconds(1), counts: [:], doneAt: start + .seconds(9))
        let old = Erasure(
            id: "r3", account: "c", askedAt: start + .seconds(2), counts: [:], doneAt: start + .seconds(3))
        try await store.transaction { store in for erasure in [open, recent, old] { try await store.put(erasure) } }
        try require(try await store.read { try await $0.erasure(of: "a") } == open, "an erasure comes back")
        try require(
            try await store.read { try await $0.erasures() } == [open, recent, old], "all of them, the oldest first")
        let later = start + .seconds(5)
        try await store.transaction { try await $0.forget(sessionsBefore: later, restBefore: later) }
        try require(
            try await store.read { try await $0.erasures() } == [open, recent],
            "one that was done long ago is forgotten")
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
            try await store.add(account)
            for record in [known, stale, fresh] { try await store.put(record) }
            for session in sessions { try await store.put(session) }
            try await store.add(code)
            try await store.forget(sessionsBefore: later, restBefore: later)
        }
        let left = try await store.transaction { store in
            (
                [
                    try await store.address(key: known.key), try await store.address(key: stale.key),
                    try await store.address(key: fresh.key),
                ],
                try await store.sessions(of: "a").map(\.id), try await store.takeAuthorizationCode(code.code)
            )
        }
        try require(left.0 == [known, nil, fresh], "an address without an account and a fresh mail is forgotten")
        try require(left.1 == ["new"] && left.2 == nil, "old sessions and codes are forgotten")
    }
}
