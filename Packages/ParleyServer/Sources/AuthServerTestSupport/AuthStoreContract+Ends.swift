// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// Removed and old things leave nothing.
extension AuthStoreContract {
    @Sendable func aRemovedAccountLeavesNothing() async throws {
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

    @Sendable func erasuresAreRemembered() async throws {
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

    @Sendable func theOldIsForgotten() async throws {
        let store = try await makeStore()
        let later = start + .seconds(1_000)
        let known = record(1, link: 2, account: "a")
        let (stale, fresh) = (record(3, link: 4), record(5, link: 6, at: start + .seconds(2_000)))
        // Of a mail that the queue did not take.
        let empty = AddressRecord(key: bytes(7), failures: 1)
        let sessions = [session("old", of: "a", at: start), session("new", of: "a", at: later)]
        let code = AuthorizationCode(code: bytes(5), account: "a", challenge: "c", createdAt: start)
        let account = try account("a")
        try await store.transaction { store in
            try await store.add(account)
            for record in [known, stale, fresh, empty] { try await store.put(record) }
            for session in sessions { try await store.put(session) }
            try await store.add(code)
            try await store.forget(sessionsBefore: later, restBefore: later)
        }
        let left = try await store.transaction { store in
            (
                [
                    try await store.address(key: known.key), try await store.address(key: stale.key),
                    try await store.address(key: fresh.key), try await store.address(key: empty.key),
                ],
                try await store.sessions(of: "a").map(\.id), try await store.takeAuthorizationCode(code.code)
            )
        }
        try require(left.0 == [known, nil, fresh, nil], "an address without an account and a fresh mail is forgotten")
        try require(left.1 == ["new"] && left.2 == nil, "old sessions and codes are forgotten")
    }
}
