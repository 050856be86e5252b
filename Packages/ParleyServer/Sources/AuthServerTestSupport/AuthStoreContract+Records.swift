// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// Addresses, accounts, sessions and codes come back as they were put.
extension AuthStoreContract {
    @Sendable func addressesComeBack() async throws {
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

    @Sendable func linksAreFound() async throws {
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

    @Sendable func addressesMove() async throws {
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

    @Sendable func metadataIsReplaced() async throws {
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

    @Sendable func accountsAreListed() async throws {
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

    @Sendable func accountsAreUnique() async throws {
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

    @Sendable func sessionsComeBackInOrder() async throws {
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

    @Sendable func codesAreTakenOnce() async throws {
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
}
