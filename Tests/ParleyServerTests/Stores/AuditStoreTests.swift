// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import Foundation
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// Stored audit events, over every kind of database.
@Suite(.timeLimit(.minutes(5))) struct AuditStoreTests {
    private let folder: TemporaryFolder
    private let now = AuthTime(milliseconds: 1_767_225_600_000)

    init() throws { folder = try TemporaryFolder() }

    private func entry(
        _ number: Int, _ account: String? = nil, _ details: [String: String] = [:], event: String = "export"
    ) -> AuditEntry {
        AuditEntry(
            id: "e\(number)", at: now + .seconds(Int64(number)), event: event, account: account, details: details)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `events come back by time and account`(_ kind: DatabaseKind) async throws {
        let store = AuditStore(database: try await kind.make(.accounts, in: folder))
        let entries = [entry(1, "ada", ["receipt": "r", "what": "data"]), entry(2, "bob"), entry(3), entry(4, "ada")]
        try await store.append(Array(entries.prefix(3)))
        // As after a commit of which nobody knows whether it was made.
        try await store.append(Array(entries.suffix(2)))
        #expect(try await store.entries(since: nil, account: nil, limit: 10) == entries.reversed())
        #expect(try await store.entries(since: nil, account: nil, limit: 2) == [entries[3], entries[2]])
        #expect(try await store.entries(since: entries[1].at, account: nil, limit: 10).map(\.id) == ["e4", "e3", "e2"])
        #expect(try await store.entries(since: nil, account: "ada", limit: 10) == [entries[3], entries[0]])
        #expect(try await store.entries(since: entries[1].at, account: "ada", limit: 10) == [entries[3]])
        #expect(try await store.entries(since: nil, account: "eve", limit: 10).isEmpty)
        try await store.append([])
        await store.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `old events go, and the oldest of too many`(_ kind: DatabaseKind) async throws {
        var store = AuditStore(database: try await kind.make(.accounts, in: folder))
        (store.days, store.maximumEvents) = (1, 3)
        try await store.append((0..<7).map { entry($0) })
        try await store.deleteExpired(at: now + .seconds(86_402))
        #expect(try await store.entries(since: nil, account: nil, limit: 10).map(\.id) == ["e6", "e5", "e4"])
        try await store.deleteExpired(at: now + .seconds(86_406))
        #expect(try await store.entries(since: nil, account: nil, limit: 10).map(\.id) == ["e6"])
        await store.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `refusals, which anybody can cause, press nothing else out`(_ kind: DatabaseKind) async throws {
        var store = AuditStore(database: try await kind.make(.accounts, in: folder))
        store.maximumEvents = 6
        let refusals = (1..<100).map { entry($0, event: "refusal") }
        try await store.append([entry(0)] + refusals + [entry(100)])
        try await store.deleteExpired(at: now + .seconds(101))
        let left = try await store.entries(since: nil, account: nil, limit: 10).map(\.id)
        #expect(left == ["e100", "e99", "e98", "e97", "e0"])
        await store.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a session gives its account, and an erasure takes it`(_ kind: DatabaseKind) async throws {
        let store = AuditStore(database: try await kind.make(.accounts, in: folder))
        try await store.database.write { writer in
            try await writer.execute("INSERT INTO account (id, address, created_at) VALUES ('ada', 'a@b', 1)")
            try await writer.execute(
                """
                INSERT INTO session (id, account, salt, created_at, device, generation, rotated_at)
                VALUES ('s1', 'ada', \([UInt8](repeating: 1, count: 8)), 1, 'd', 0, 1)
                """)
        }
        try await store.append([entry(1, nil, ["session": "s1"]), entry(2, nil, ["session": "unknown"])])
        let found = try await store.entries(since: nil, account: nil, limit: 10)
        #expect(found.map(\.account) == [nil, "ada"])
        try await store.database.write { writer in
            try await writer.execute("INSERT INTO erasure (account, id, asked_at, counts) VALUES ('ada', 'r', 1, '{}')")
        }
        // What was on its way when the account was erased.
        try await store.append([entry(3, "ada")])
        #expect(try await store.entries(since: now + .seconds(3), account: nil, limit: 10).map(\.account) == [nil])
        await store.database.close()
    }

    @Test func `refusals leave room for other events, and a failure keeps them`() async throws {
        let ring = RingSink(capacity: 10_000)
        let database = try await DatabaseKind.memory.make(.accounts, in: folder)
        let store = AuditStore(database: database)
        let audit = AuditLog(Logger(category: "server", sink: ring), store: store)
        for _ in 0..<(AuditBuffer.capacity) { audit.record(.refused(method: "verify", code: .proofRefused)) }
        audit.record(.refused(method: "access", code: .badAccessToken))
        audit.record(.refreshed(account: "ada"))
        audit.record(.exported(account: "ada"))
        try await database.write { try await $0.execute("ALTER TABLE audit_event RENAME TO away") }
        await audit.flush()
        await audit.flush()
        try await database.write { try await $0.execute("ALTER TABLE away RENAME TO audit_event") }
        await audit.flush()
        let stored = try await store.entries(since: nil, account: nil, limit: 10_000)
        #expect(stored.count == AuditBuffer.capacity / 2 + 1 && stored.count { $0.event == "export" } == 1)
        let lines = ring.snapshot().map(\.message.text)
        #expect(lines.count { $0.hasPrefix("audit events are not stored yet") } == 1)
        #expect(lines.count { $0.hasPrefix("1000 audit events are in the logs alone") } == 1)
        #expect(lines.count { $0 == "refusal" } == AuditBuffer.capacity + 1)
        await database.close()
    }
}
