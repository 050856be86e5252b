// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Foundation
import Persistence
import TestKit
import Testing

@testable import ParleyServer

@Suite(.timeLimit(.minutes(2))) struct SQLiteAuthStoreTests {
    private static let names = AuthStoreContract { InMemoryAuthStore() }.checks.map(\.name)

    @Test(arguments: names) func theStoreInSQLiteKeepsTheContract(_ name: String) async throws {
        let home = try TemporaryFolder()
        let contract = AuthStoreContract {
            try await SQLiteAuthStore(at: home.path + "/\(UUID().uuidString).sqlite")
        }
        try await #require(contract.checks.first { $0.name == name }).run()
    }

    @Test func whatWasWrittenIsThereAfterTheFileWasOpenedAgain() async throws {
        let home = try TemporaryFolder()
        let account = Account(
            id: "a", address: try EmailAddress("ada@example.org"), createdAt: AuthTime(milliseconds: 1))
        let store = try await SQLiteAuthStore(at: home.path + "/server.sqlite")
        try await store.transaction { try $0.add(account) }
        await store.close()
        let again = try await SQLiteAuthStore(at: home.path + "/server.sqlite")
        #expect(try await again.read { try $0.account(id: "a") } == account)
        await again.close()
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
            try connection.execute("INSERT INTO address VALUES (\(key), 'a', 3, '1767225600000 1767225601000')")
            try connection.execute(
                "INSERT INTO proof VALUES (\(key), \(link), \(code), 1767225600000, 'c', NULL, 'parley://in', 2, NULL)")
        }
        await old.close()
        let store = try await SQLiteAuthStore(at: path)
        let time = AuthTime(milliseconds: 1_767_225_600_000)
        let record = try await store.read { try $0.address(link: link) }
        #expect(
            record
                == AddressRecord(
                    key: key, account: "a",
                    proofs: [
                        Proof(
                            link: link, code: code, createdAt: time, challenge: "c", redirect: "parley://in",
                            attempts: 2)
                    ], sends: [Send(time), Send(time + .seconds(1))], failures: 3))
        let account = try await store.read { try $0.account(id: "a") }
        #expect(account?.metadata == AccountMetadata())
        await store.close()
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
        }
    }
}
