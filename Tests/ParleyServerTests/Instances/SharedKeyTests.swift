// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Diagnostics
import Foundation
import Networking
import Security
import TestKit
import Testing

@testable import ParleyServer

/// Signing keys that all instances know.
@Suite(.timeLimit(.minutes(5))) struct SharedKeyTests {
    private func database() async throws -> any ServerDatabase {
        try await PostgresServerDatabase.open(DatabaseKind.newPostgresURL(), logger: .disabled)
    }

    private func keys(_ database: any ServerDatabase, root: String = "5a") async throws -> ServerKeys {
        let home = try TemporaryFolder()
        let secrets = try await FileSecretStore.open(
            home.path + "/secrets", protection: .keyFile(home.path + "/secrets.key"))
        return try await ServerKeys(
            in: secrets, root: ServerRootKey(String(repeating: root, count: 32), at: "test"), database: database)
    }

    /// At any time around a rotation, instances that have read the row and those that have not accept each other's
    /// tokens, until these expire.
    @Test func `no token is refused while a key is rotated`() async throws {
        let database = try await database()
        let (one, two) = (try await keys(database), try await keys(database))
        let (start, lifetime) = (AuthTime(milliseconds: 1_800_000_000_000), Duration.seconds(900))
        let old = try await one.signing(at: start)
        try await one.rotate(at: start, tokenLifetime: lifetime)
        let announced = try await two.signing(at: start)
        let first = try #require(try old.present.published.first)
        let change = try #require(announced.next)
        let second = try #require(try change.keys.published.first)
        #expect(first.kid != second.kid)
        #expect(change.from == start + SharedKeys.notice)
        for second in stride(from: 0, through: 2_000, by: 20) {
            let now = start + .seconds(second)
            // An instance reads the row within a minute.
            let views = second <= 60 ? [old, announced] : [announced, try await two.signing(at: now)]
            for signer in views {
                let kid = try PublishedKey(signer.keys(at: now).current.publicKey).kid
                for verifier in views {
                    #expect(try verifier.keys(at: now).published.contains { $0.kid == kid }, "\(second) s")
                }
                // The token lives on at those that read the row last.
                let end = now + lifetime
                #expect(try await two.signing(at: end).keys(at: end).published.contains { $0.kid == kid })
            }
        }
        let after = start + SharedKeys.notice + lifetime + .seconds(61)
        #expect(try await two.signing(at: after).keys(at: after).published.map(\.kid) == [second.kid])
        await database.close()
    }

    @Test func `a second rotation replaces a key that signed nothing`() async throws {
        let database = try await database()
        let keys = try await keys(database)
        let start = AuthTime(milliseconds: 1_800_000_000_000)
        try await keys.rotate(at: start, tokenLifetime: .seconds(900))
        let first = try await keys.signing(at: start)
        try await keys.rotate(at: start + .seconds(30), tokenLifetime: .seconds(900))
        let second = try await keys.signing(at: start + .seconds(30))
        #expect(second.next?.from == start + .seconds(150))
        let kids = { (keys: SigningKeys?) in try keys?.published.map(\.kid) ?? [] }
        #expect(try kids(first.present)[0] == kids(second.present)[0])
        #expect(try kids(first.next?.keys)[0] != kids(second.next?.keys)[0])
        // A rotation after the change keeps both old keys for the tokens' lifetime.
        try await keys.rotate(at: start + .seconds(200), tokenLifetime: .seconds(900))
        let third = try await keys.signing(at: start + .seconds(200))
        #expect(try kids(third.next?.keys).count == 3)
        await database.close()
    }

    @Test func `a key that instances may begin with stays accepted`() async throws {
        let database = try await database()
        let keys = try await keys(database)
        let (start, lifetime) = (AuthTime(milliseconds: 1_800_000_000_000), Duration.seconds(900))
        try await keys.rotate(at: start, tokenLifetime: lifetime)
        // An instance that reads the row half a minute later signs with the announced key meanwhile.
        let stale = try await keys.signing(at: start)
        try await keys.rotate(at: start + .seconds(110), tokenLifetime: lifetime)
        for second in stride(from: 120, through: 140, by: 10) {
            let now = start + .seconds(second)
            let kid = try PublishedKey(stale.keys(at: now).current.publicKey).kid
            for time in [now, now + lifetime] {
                let published = try await keys.signing(at: time).keys(at: time).published
                #expect(published.contains { $0.kid == kid }, "\(second) s")
            }
        }
        let after = start + .seconds(110) + SharedKeys.notice + lifetime + .seconds(61)
        #expect(try await keys.signing(at: after).keys(at: after).published.count == 1)
        await database.close()
    }

    @Test func `another root key is refused by name`() async throws {
        let database = try await database()
        _ = try await keys(database)
        await #expect(throws: ServerSetupError.otherRootKey) { _ = try await keys(database, root: "77") }
        await database.close()
    }

    @Test func `two instances serve one session and take a new key`() async throws {
        let instances = try await Instances()
        let ada = try await instances[0].signIn("ada@example.org")
        #expect(try await instances[1].call(.get, "/cues", as: ada).status == 200)
        let keys = { (fixture: ServerFixture) in text(try await fixture.get("/.well-known/jwks.json")) }
        let before = try await keys(instances[0])
        #expect(try await keys(instances[1]) == before)
        let home = try TemporaryFolder()
        try await ParleyServer.rotateKeys(home: home.path, database: instances.url, rootKey: instances.rootKey)
        for fixture in instances.all { try await fixture.server.reloadKeys() }
        let after = try await keys(instances[0])
        #expect(try await keys(instances[1]) == after)
        #expect(after.count > before.count, "both keys are published before the new one signs")
        #expect(try await instances[1].call(.get, "/cues", as: ada).status == 200)
        await instances.stop()
    }

    @Test func `a command beside instances uses their key and their time`() async throws {
        let instances = try await Instances(1) { $1.administration = .public }
        let (home, database) = (instances[0].home, try await instances.database())
        let secrets = try await FileSecretStore.open(
            home.path + "/secrets", protection: .keyFile(home.path + "/secrets.key"))
        // So long ago that no server takes the old key any more.
        try await ServerKeys(in: secrets, root: instances.rootKey, database: database)
            .rotate(at: AuthClock.system.now() + .seconds(-7_200), tokenLifetime: .seconds(900))
        await database.close()
        try await instances[0].server.reloadKeys()
        var options = ServerOptions(home: home.path, mail: .folder(""))
        (options.database, options.rootKey) = (instances.url, instances.rootKey)
        options.clock = AuthClock { AuthClock.system.now() + .seconds(86_400) }
        let administration = try await ServerAdministration.open(options)
        let token = try administration.issueToken(lifetime: .seconds(3_600)).token
        await administration.close()
        let answer = try await instances[0].get("/admin/users", token: token)
        #expect(answer.status == 200, "\(text(answer))")
        await instances.stop()
    }

    @Test func `a root key is 64 digits in a file of one's own`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("key")
        let digits = String(repeating: "0f", count: 32)
        for text in ["", "0f", digits + "0", String(repeating: "zz", count: 32)] {
            #expect(throws: SettingError.self) { _ = try ServerRootKey(text, at: "x") }
        }
        try Data((digits + "\n").utf8).write(to: URL(filePath: file))
        for (mode, isGood) in [(0o644, false), (0o602, false), (0o640, true), (0o600, true)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            #expect(((try? ServerRootKey(file: file)) != nil) == isGood, "\(mode)")
        }
        #expect(throws: SettingError.self) { _ = try ServerRootKey(file: folder.file("missing")) }
    }
}
