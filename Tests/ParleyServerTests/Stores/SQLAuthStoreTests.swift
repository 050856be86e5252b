// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Foundation
import Persistence
import Security
import TestKit
import Testing

@testable import ParleyServer

@Suite(.timeLimit(.minutes(5))) struct SQLAuthStoreTests {
    private static let names = AuthStoreContract { InMemoryAuthStore() }.checks.map(\.name)

    private func open(_ path: String) async throws -> SQLAuthStore {
        SQLAuthStore(
            database: try await SQLiteServerDatabase.open(path, AuthSchema.migrations, clock: .system))
    }

    @Test(arguments: names, DatabaseKind.allCases)
    func `the store keeps the contract`(_ name: String, _ kind: DatabaseKind) async throws {
        let folder = try TemporaryFolder()
        let contract = AuthStoreContract { SQLAuthStore(database: try await kind.make(.accounts, in: folder)) }
        try await #require(contract.checks.first { $0.name == name }).run()
    }

    /// A client that repeats a request whose answer was slow must not be signed out by it.
    @Test(arguments: DatabaseKind.allCases) func `racing refreshes sign nobody out`(_ kind: DatabaseKind) async throws {
        let folder = try TemporaryFolder()
        let store = SQLAuthStore(database: try await kind.make(.accounts, in: folder))
        let (mailer, clock) = (CollectingMailer(), VirtualAuthClock())
        let (keys, signing) = (try AuthKeys(root: SymmetricKey()), SigningKeys(current: try SigningKey()))
        let service = AuthService(
            store: store, mailer: mailer, keys: { keys }, signing: { signing },
            issuer: "https://auth.example.org", clock: clock.clock)
        let (address, prefix) = (try EmailAddress("ada@example.org"), NetworkPrefix(address: "192.0.2.1"))
        try await service.requestSignIn(SignInRequest(address: address, prefix: prefix))
        let code = try #require(mailer.mails.last?.code?.withExposed { $0 })
        var token = try await service.verify(code: code, of: address, from: prefix, device: "").refreshToken
        for round in 0..<25 {
            let shown = token
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 { group.addTask { try await service.refresh(shown, from: prefix).refreshToken } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers.count == 1, "round \(round)")
            token = try #require(answers.first)
            clock.advance(by: .seconds(60))
        }
        await store.database.close()
    }

    /// A change of threads for each statement would double the time of a refresh.
    @Test func `a transaction in SQLite stays on its thread`() async throws {
        let folder = try TemporaryFolder()
        let store = SQLAuthStore(database: try await DatabaseKind.file.make(.accounts, in: folder))
        let threads = try await store.transaction { rows in
            let first = pthread_self()
            _ = try await rows.session(id: "a")
            return [first, pthread_self()]
        }
        #expect(Set(threads).count == 1)
        let database = store.database
        let inside = try await database.write { writer in
            let first = pthread_self()
            _ = try await writer.rows("SELECT 1")
            return first == pthread_self() && !threads.contains { $0 == 0 }
        }
        #expect(inside)
    }

    @Test func whatWasWrittenIsThereAfterTheFileWasOpenedAgain() async throws {
        let home = try TemporaryFolder()
        let account = Account(
            id: "a", address: try EmailAddress("ada@example.org"), createdAt: AuthTime(milliseconds: 1))
        let store = try await open(home.path + "/server.sqlite")
        try await store.transaction { try await $0.add(account) }
        await store.database.close()
        let again = try await open(home.path + "/server.sqlite")
        #expect(try await again.read { try await $0.account(id: "a") } == account)
        await again.database.close()
    }

    @Test func `a database of the first version goes on`() async throws {
        let home = try TemporaryFolder()
        let path = home.path + "/server.sqlite"
        let (key, link, code) = (
            Data(repeating: 1, count: 32), Data(repeating: 2, count: 32), Data(repeating: 3, count: 32)
        )
        let old = try await Database(at: path)
        try await old.migrate([AuthSchema.migrations[0]])
        try await old.write(durability: .full) { connection in
            try connection.execute("INSERT INTO account VALUES ('a', 'ada@example.org', 1)")
            try connection.execute("INSERT INTO session VALUES ('s', 'a', \(key), 1, 'd', 7, 2, NULL)")
            try connection.execute("INSERT INTO address VALUES (\(key), 'a', 3, '1767225600000 1767225601000')")
            try connection.execute(
                "INSERT INTO proof VALUES (\(key), \(link), \(code), 1767225600000, 'c', NULL, 'parley://in', 2, NULL)")
        }
        await old.close()
        let store = try await open(path)
        let time = AuthTime(milliseconds: 1_767_225_600_000)
        let record = try await store.read { try await $0.address(link: link) }
        #expect(
            record
                == AddressRecord(
                    key: key, account: "a",
                    proofs: [
                        Proof(
                            link: link, code: code, createdAt: time, challenge: "c", redirect: "parley://in",
                            attempts: 2)
                    ], sends: [Send(time), Send(time + .seconds(1))], failures: 3))
        let account = try await store.read { try await $0.account(id: "a") }
        #expect(account?.metadata == AccountMetadata())
        // By the rule of its time, which the server held to be true.
        #expect(try await store.read { try await $0.session(id: "s")?.confirmedGeneration } == 7)
        await store.database.close()
    }

    /// While a server is upgraded, instances of both versions write the same sessions.
    @Test(arguments: DatabaseKind.allCases)
    func `an exchange by the version before confirms nothing`(_ kind: DatabaseKind) async throws {
        let folder = try TemporaryFolder()
        let store = SQLAuthStore(database: try await kind.make(.accounts, in: folder))
        let account = Account(
            id: "a", address: try EmailAddress("ada@example.org"), createdAt: AuthTime(milliseconds: 1))
        let salt = Data(repeating: 1, count: 32)
        func write(_ id: String, generation: Int64) async throws {
            try await store.database.write { writer in
                try await writer.execute(
                    """
                    INSERT INTO session (id, account, salt, created_at, device, generation, rotated_at, end_reason)
                    VALUES (\(id), 'a', \(salt), 1, 'd', \(generation), 2, NULL)
                    ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, rotated_at = excluded.rotated_at
                    """)
            }
        }
        try await store.transaction { store in
            try await store.add(account)
            try await store.put(
                Session(
                    id: "new", account: "a", salt: salt, createdAt: AuthTime(milliseconds: 1), device: "d",
                    generation: 4,
                    rotatedAt: AuthTime(milliseconds: 1), confirmedGeneration: 4))
        }
        try await write("new", generation: 5)
        try await write("old", generation: 3)
        let found = try await store.read { store in
            [try await store.session(id: "new"), try await store.session(id: "old")]
        }
        #expect(found.map { $0?.generation } == [5, 3] && found.map { $0?.confirmedGeneration } == [4, 3])
        await store.database.close()
    }

    @Test func neitherLinkNorCodeNorTokenIsInTheFiles() async throws {
        let fixture = try await ServerFixture()
        let mail = try await fixture.askForMail()
        let session = try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        let next = try await fixture.askForMail()
        await fixture.stop()
        let secrets = [mail.link, next.link, session.accessToken, session.refreshToken]
        for file in try FileManager.default.subpathsOfDirectory(atPath: fixture.home.path) where !file.hasPrefix("mail")
        {
            guard let bytes = FileManager.default.contents(atPath: fixture.home.path + "/" + file) else { continue }
            for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)") }
            guard file.hasSuffix(".sqlite") else { continue }
            // Six digits may be anywhere in a file by chance, but hardly as a word of their own in the rows.
            let script = "import sqlite3, sys\nfor line in sqlite3.connect(sys.argv[1]).iterdump(): print(line)"
            let dump = try await ChildProcess(
                "/usr/bin/python3", ["-c", script, fixture.home.path + "/" + file], errors: .captured
            ).finished()
            #expect(dump.code == 0 && dump.output.contains("CREATE TABLE"), "\(file): \(dump.errors)")
            for code in [mail.code, next.code] {
                #expect(dump.output.firstMatch(of: try Regex("\\b\(code)\\b")) == nil, "\(file)")
            }
        }
    }
}
