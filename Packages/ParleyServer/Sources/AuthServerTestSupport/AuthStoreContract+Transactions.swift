// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// Transactions are whole, and as if in turn.
extension AuthStoreContract {
    @Sendable func failureLeavesNothing() async throws {
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

    @Sendable func ownWritesAreSeen() async throws {
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

    @Sendable func updatesAreNotLost() async throws {
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

    @Sendable func exchangesAreInTurn() async throws {
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

    @Sendable func confirmationsAreInTurn() async throws {
        let store = try await makeStore()
        @Sendable func changed(_ session: Session, exchanges: Int64 = 0, confirmed: Int64? = nil) -> Session {
            Session(
                id: session.id, account: session.account, salt: session.salt, createdAt: session.createdAt,
                device: session.device, generation: session.generation + exchanges, rotatedAt: session.rotatedAt,
                confirmedGeneration: confirmed ?? session.confirmedGeneration)
        }
        let (account, first) = (try account("a"), changed(session("s", of: "a", at: start), confirmed: 4))
        try await store.transaction { store in
            try await store.add(account)
            try await store.put(first)
        }
        try require(try await store.read { try await $0.session(id: "s") } == first, "a confirmation is stored")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<40 {
                group.addTask {
                    try await store.transaction { store in
                        guard let found = try await store.session(id: "s") else { return }
                        try await store.put(
                            task.isMultiple(of: 2)
                                ? changed(found, exchanges: 1) : changed(found, confirmed: found.generation))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await store.transaction { store in
            guard let found = try await store.session(id: "s") else { return }
            try await store.put(changed(found, exchanges: 1))
        }
        let found = try await store.read { try await $0.session(id: "s") }
        try require(found?.generation == 25, "each of 21 exchanges finds the one before: \(found?.generation ?? 0)")
        try require((4...24).contains(found?.confirmedGeneration ?? 0), "the newest is not confirmed")
    }

    @Sendable func oneAccountIsAdded() async throws {
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
    @Sendable func nothingIsSkewed() async throws {
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

    @Sendable func cancellationLeavesNothing() async throws {
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
}
