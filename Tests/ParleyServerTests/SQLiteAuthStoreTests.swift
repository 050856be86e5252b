// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Foundation
import Testing

@testable import ParleyServer

@Suite(.timeLimit(.minutes(2))) struct SQLiteAuthStoreTests {
    private static let names = AuthStoreContract { InMemoryAuthStore() }.checks.map(\.name)

    @Test(arguments: names) func theStoreInSQLiteKeepsTheContract(_ name: String) async throws {
        let home = try TestHome()
        let contract = AuthStoreContract {
            try await SQLiteAuthStore(at: home.path + "/\(UUID().uuidString).sqlite")
        }
        try await #require(contract.checks.first { $0.name == name }).run()
    }

    @Test func whatWasWrittenIsThereAfterTheFileWasOpenedAgain() async throws {
        let home = try TestHome()
        let account = Account(
            id: "a", address: try EmailAddress("ada@example.org"), createdAt: AuthTime(milliseconds: 1))
        let store = try await SQLiteAuthStore(at: home.path + "/server.sqlite")
        try await store.transaction { try $0.add(account) }
        await store.close()
        let again = try await SQLiteAuthStore(at: home.path + "/server.sqlite")
        #expect(try await again.read { try $0.account(id: "a") } == account)
        await again.close()
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
