// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Diagnostics
import Foundation
import Networking
import Persistence
import Security
import TestKit
import Testing

@testable import ParleyServer

/// Another root key takes over on instances that share a database, and in a home.
@Suite(.timeLimit(.minutes(5))) struct RootKeyRotationTests {
    private static let (old, new, third) = (digits("5a"), digits("77"), digits("93"))
    private static func digits(_ pair: String) -> String { String(repeating: pair, count: 32) }

    private func file(_ keys: String...) throws -> ServerRootKey {
        try ServerRootKey(keys.map { $0 + "\n" }.joined(), at: "test")
    }

    /// The keys of one instance, with the rules of sign-in over them.
    private struct Instance: Sendable {
        let keys: ServerKeys
        let service: AuthService

        init(
            _ database: any ServerDatabase, _ file: ServerRootKey, _ clock: VirtualAuthClock,
            _ mailer: CollectingMailer, readsSigning: Bool = true
        ) async throws {
            let home = try TemporaryFolder()
            let secrets = try await FileSecretStore.open(
                home.path + "/secrets", protection: .keyFile(home.path + "/secrets.key"))
            let keys = try await ServerKeys(in: secrets, root: file, database: database)
            self.keys = keys
            let signing =
                readsSigning
                ? try await keys.signing(at: clock.now).present : SigningKeys(current: try SigningKey())
            service = AuthService(
                store: SQLAuthStore(database: database), mailer: mailer, keys: { try keys.auth(at: clock.now) },
                signing: { signing }, issuer: "https://auth.example.org", clock: clock.clock)
        }
    }

    private let clock = VirtualAuthClock()
    private let mailer = CollectingMailer()
    private let prefix = NetworkPrefix(address: "192.0.2.1")

    private func signIn(_ instance: Instance) async throws -> String {
        let address = try EmailAddress("ada@example.org")
        try await instance.service.requestSignIn(SignInRequest(address: address, prefix: prefix))
        let code = try #require(mailer.mails.last?.code?.withExposed { $0 })
        return try await instance.service.verify(code: code, of: address, from: prefix, device: "").refreshToken
    }

    private func refresh(_ token: String, _ instance: Instance) async throws -> String {
        try await instance.service.refresh(token, from: prefix).refreshToken
    }

    private func word(_ keys: ServerKeys) async throws -> String? {
        do {
            try await keys.check(at: clock.now)
            return nil
        } catch let warning as Readiness.Warning {
            return warning.word
        }
    }

    private func database() async throws -> any ServerDatabase {
        try await PostgresServerDatabase.open(DatabaseKind.newPostgresURL(), logger: .disabled)
    }

    /// One instance has read the new file, the other gets it a minute later and in another order. People refresh at both
    /// by turns, before, during and after the change.
    @Test func `nobody is signed out while instances change one by one`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        let two = try await Instance(database, file(Self.old), clock, mailer)
        for instance in [one, two] { #expect(try await instance.keys.announceRoot(at: clock.now) == nil) }
        var token = try await signIn(one)
        let start = clock.now
        let entry = try #require(try await one.keys.replaceRoots(file(Self.new, Self.old), at: start))
        #expect(entry.from == start + SharedKeys.notice && entry.key == one.keys.roots.inFile[0].id)
        #expect(try await word(two.keys) == "behind")
        #expect(try await word(one.keys) == nil)
        for second in stride(from: 0, through: 600, by: 10) {
            if second == 60 {
                #expect(try await two.keys.replaceRoots(file(Self.old, Self.new), at: clock.now) == nil)
                #expect(try await word(two.keys) == nil)
            }
            // Each instance looks at the rows once in half a minute.
            if second % 30 == 0 { _ = try await one.keys.signing(at: clock.now) }
            if second % 30 == 20 { _ = try await two.keys.signing(at: clock.now) }
            token = try await refresh(token, second % 20 == 0 ? one : two)
            clock.advance(by: .seconds(10))
        }
        for instance in [one, two] { #expect(try instance.keys.roots.keys(at: clock.now)[0].id == entry.key) }
        // The new key is enough, and the old one is nothing.
        let late = try await Instance(database, file(Self.new), clock, mailer)
        token = try await refresh(token, late)
        await #expect(throws: ServerSetupError.otherRootKey) {
            _ = try await Instance(database, file(Self.old), clock, mailer)
        }
        await database.close()
    }

    @Test func `an instance without the key in use is not ready`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        let two = try await Instance(database, file(Self.old), clock, mailer)
        _ = try await one.keys.announceRoot(at: clock.now)
        _ = try await one.keys.replaceRoots(file(Self.new, Self.old), at: clock.now)
        clock.advance(by: SharedKeys.notice)
        _ = try await one.keys.signing(at: clock.now)
        let token = try await signIn(one)
        let lacks = ServerSetupError.lacksRootKey(one.keys.roots.inFile[0].id)
        await #expect(throws: lacks) { try await two.keys.check(at: clock.now) }
        // Else it would refuse a valid token, or make one that outlives the old key.
        await #expect(throws: lacks) { try await refresh(token, two) }
        await #expect(throws: lacks) { try await signIn(two) }
        await #expect(throws: ServerSetupError.otherRootKey) {
            _ = try await Instance(database, file(Self.old), clock, mailer)
        }
        // Signing keys rotate on under the new root key, and the other instance comes back with its file.
        try await one.keys.rotate(at: clock.now, tokenLifetime: .seconds(900))
        _ = try await two.keys.replaceRoots(file(Self.new, Self.old), at: clock.now)
        #expect(try await word(two.keys) == nil)
        #expect(try await two.keys.signing(at: clock.now).next != nil)
        await database.close()
    }

    @Test func `a file without the key in use changes nothing`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        _ = try await one.keys.announceRoot(at: clock.now)
        let used = one.keys.roots.inFile[0].id
        await #expect(throws: ServerSetupError.lacksRootKey(used)) {
            _ = try await one.keys.replaceRoots(file(Self.new), at: clock.now)
        }
        #expect(one.keys.roots.inFile.map(\.id) == [used])
        // A key that is announced may not be taken out again, either.
        let next = try #require(try await one.keys.replaceRoots(file(Self.new, Self.old), at: clock.now))
        await #expect(throws: ServerSetupError.lacksRootKey(next.key)) {
            _ = try await one.keys.replaceRoots(file(Self.old), at: clock.now)
        }
        // Another one may replace it, while the file still has it.
        let other = try #require(
            try await one.keys.replaceRoots(file(Self.third, Self.new, Self.old), at: clock.now))
        #expect(one.keys.roots.use.entries.map(\.key) == [used, other.key])
        _ = try await one.keys.replaceRoots(file(Self.third, Self.old), at: clock.now)
        // Shortly before its use, some instances would not read of the replacement in time.
        clock.advance(by: .seconds(61))
        let last = try #require(
            try await one.keys.replaceRoots(file(Self.new, Self.third, Self.old), at: clock.now))
        #expect(one.keys.roots.use.entries.map(\.key) == [used, other.key, last.key])
        await database.close()
    }

    @Test func `a queue opens what the old key has sealed`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        _ = try await one.keys.announceRoot(at: clock.now)
        let (mails, events) = (one.keys.mailSeal(clock.clock), one.keys.hookSeal(clock.clock))
        let before = [try mails.seal("mail", id: "1"), try events.seal("event", id: "1")]
        _ = try await one.keys.replaceRoots(file(Self.new, Self.old), at: clock.now)
        clock.advance(by: SharedKeys.notice)
        _ = try await one.keys.signing(at: clock.now)
        let after = [try mails.seal("mail", id: "1"), try events.seal("event", id: "1")]
        #expect(mails.open(before[0], id: "1", as: String.self) == "mail")
        #expect(events.open(before[1], id: "1", as: String.self) == "event")
        let late = try await Instance(database, file(Self.new), clock, mailer)
        let (lateMails, lateEvents) = (late.keys.mailSeal(clock.clock), late.keys.hookSeal(clock.clock))
        #expect(lateMails.open(after[0], id: "1", as: String.self) == "mail")
        #expect(lateEvents.open(after[1], id: "1", as: String.self) == "event")
        #expect(lateMails.open(before[0], id: "1", as: String.self) == nil)
        #expect(lateMails.open(after[1], id: "1", as: String.self) == nil)
        await database.close()
    }

    @Test(arguments: [true, false]) func `a command tells when the old key has served`(_ isShared: Bool) async throws {
        let url = isShared ? try await DatabaseKind.newPostgresURL() : nil
        let old = try file(Self.old)
        let both = try file(Self.new, Self.old)
        let fixture = try await ServerFixture { options in
            (options.database, options.rootKey) = (url, old)
            if isShared { options.clock = .system }
        }
        let start = isShared ? AuthClock.system.now() : fixture.clock.now
        let mail = try await fixture.askForMail()
        _ = try await fixture.tokens("/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        func states(after time: Duration) async throws -> [RootKeyReport.State] {
            var options = ServerOptions(home: fixture.home.path, mail: .folder(""))
            (options.database, options.rootKey) = (url, both)
            options.clock = AuthClock { start + time }
            let administration = try await ServerAdministration.open(options)
            let report = try await administration.rootKeys()
            await administration.close()
            return report.keys.map(\.state)
        }
        #expect(try await states(after: .zero) == [.unused, .inUse])
        try await fixture.server.reloadRootKeys { both }
        // PostgreSQL's time is real: the change is announced for some moments after two minutes.
        if isShared { #expect(try await states(after: .zero) == [.next, .inUse]) }
        #expect(try await states(after: .seconds(600)) == [.inUse, .needed], "a session and mails")
        #expect(try await states(after: .seconds(29 * 86_400)) == [.inUse, .needed], "a session")
        #expect(try await states(after: .seconds(31 * 86_400)) == [.inUse, .notNeeded])
        await fixture.stop()
    }

    /// The process ends between the two rows of the database.
    @Test func `a change that was cut off goes on`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        _ = try await one.keys.announceRoot(at: clock.now)
        let token = try await signIn(one)
        _ = try await one.keys.replaceRoots(file(Self.new, Self.old), at: clock.now)
        clock.advance(by: SharedKeys.notice)
        // The signing keys are still sealed by the old key.
        let cold = try await Instance(database, file(Self.old), clock, mailer, readsSigning: false)
        await #expect(throws: ServerSetupError.self) { _ = try await cold.keys.announceRoot(at: clock.now) }
        let two = try await Instance(database, file(Self.new, Self.old), clock, mailer)
        let next = try await refresh(token, two)
        _ = try await refresh(next, try await Instance(database, file(Self.new), clock, mailer))
        await database.close()
    }

    /// Lets the two minutes before a change on a real server pass.
    private func passNotice(_ url: String, _ file: ServerRootKey) async throws {
        let database = try await PostgresServerDatabase.connect(url, logger: .disabled)
        let shared = SharedKeys(database: database, roots: try RootKeyRing(file.keys))
        let now = AuthClock.system.now()
        _ = try await shared.changeUse(or: RootKeyUse(of: [])) { use in
            RootKeyUse(of: [use.entries[0].key]).announcing(use.entries[1].key, from: now, at: now)
        }
        await database.close()
    }

    /// A session, a code and a waiting mail are from before the change. They outlive it, and the old key too early
    /// taken away is missed, and nothing is lost.
    @Test(arguments: [true, false]) func `a running server rotates and retires its root key`(
        _ isShared: Bool
    ) async throws {
        let url = isShared ? try await DatabaseKind.newPostgresURL() : nil
        let (old, both, new) = (try file(Self.old), try file(Self.new, Self.old), try file(Self.new))
        let retired = try RootKey.all(old.keys)[0].id
        let home = try TemporaryFolder()
        let ring = RingSink(capacity: 1_000)
        let clock = self.clock
        func start(_ keys: ServerRootKey) async throws -> ServerFixture {
            try await ServerFixture(home: home, logger: Logger(category: "server", sink: ring)) { options in
                (options.database, options.rootKey) = (url, keys)
                options.clock = isShared ? .system : clock.clock
            }
        }
        func log(_ text: String) -> Bool { ring.snapshot().contains { $0.message.text.contains(text) } }
        func status(_ keys: ServerRootKey) async throws -> [RootKeyReport.Key] {
            var options = ServerOptions(home: home.path, mail: .folder(""))
            (options.database, options.rootKey) = (url, keys)
            options.clock = isShared ? .system : clock.clock
            let administration = try await ServerAdministration.open(options)
            let report = try await administration.rootKeys()
            await administration.close()
            return report.keys
        }
        func refresh(_ token: String, _ server: ServerFixture) async throws -> String {
            try await server.tokens("/token?grant_type=refresh_token", ["refresh_token": token]).refreshToken
        }
        func verify(_ name: String, _ code: String, _ server: ServerFixture) async throws -> String {
            try await server.tokens(
                "/verify", ["type": "email", "email": "\(name)@example.org", "token": code]
            ).refreshToken
        }

        var server = try await start(old)
        var ada = try await verify("ada", server.askForMail().code, server)
        let carol = try await verify("carol", server.askForMail("carol@example.org").code, server)
        let code = try await server.askForMail("bob@example.org").code
        let before = try server.mailNames
        let mails = home.path + "/mail/new"
        try FileManager.default.moveItem(atPath: mails, toPath: mails + "-away")
        #expect(try await server.post("/otp", ["email": "dora@example.org"]).status == 200)
        try await eventually("a mail cannot be written") { log("a sign-in mail is tried again") }

        try await server.server.reloadRootKeys { both }
        if let url {
            try await passNotice(url, both)
            try await server.server.reloadKeys()
        }
        ada = try await refresh(ada, server)
        _ = try await verify("bob", code, server)
        #expect(try await status(both).map(\.state) == [.inUse, .needed])

        // Too early: the running server refuses, and goes on.
        await #expect(throws: ServerSetupError.needsRootKey(retired, sessions: 3, messages: 1)) {
            try await server.server.reloadRootKeys { new }
        }
        #expect(text(try await server.get("/readyz")).contains(#""keys":"stale""#))
        ada = try await refresh(ada, server)
        await server.stop()

        // A restart obeys, and reports what is sealed by the key that is gone.
        server = try await start(new)
        #expect(log("lacks the root key \(retired), which is still needed"))
        ada = try await refresh(ada, server)
        clock.advance(by: .seconds(60))
        try await eventually("the waiting mail is reported") { log("was sealed by a root key that the key file lacks") }
        let lost = try await status(new)
        #expect(lost.map(\.state) == [.inUse, .missing] && lost.last?.messages == 1, "\(lost)")
        #expect(try await server.problem("/token?grant_type=refresh_token", ["refresh_token": carol]).status == 400)
        await server.stop()

        // The key is back: nothing was lost.
        try FileManager.default.removeItem(atPath: mails)
        try FileManager.default.moveItem(atPath: mails + "-away", toPath: mails)
        clock.advance(by: .seconds(60))
        server = try await start(both)
        let mail = try await server.mail(besides: before)
        _ = try await verify("dora", ServerFixture.proofs(in: mail).code, server)
        _ = try await refresh(carol, server)
        if !isShared {
            clock.advance(by: .seconds(31 * 86_400))
            #expect(try await status(both).map(\.state) == [.inUse, .notNeeded])
            try await server.server.reloadRootKeys { new }
            #expect(try await status(new).map(\.state) == [.inUse])
        }
        await server.stop()
    }

    /// A refusal would sign its client out.
    @Test func `an instance without the key in use answers 503`() async throws {
        let url = try await DatabaseKind.newPostgresURL()
        let (old, both) = (try file(Self.old), try file(Self.new, Self.old))
        func start() async throws -> ServerFixture {
            try await ServerFixture { ($0.database, $0.rootKey, $0.clock) = (url, old, .system) }
        }
        let (one, two) = (try await start(), try await start())
        try await one.server.reloadRootKeys { both }
        #expect(text(try await two.get("/readyz")).contains(#""keys":"behind""#))
        try await passNotice(url, both)
        try await one.server.reloadKeys()
        let code = try await one.askForMail().code
        let session = try await one.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": code])
        #expect(try await two.get("/readyz").status == 503)
        let refresh = ("/token?grant_type=refresh_token", ["refresh_token": session.refreshToken])
        let refused = try await two.post(refresh.0, refresh.1)
        #expect(refused.status == 503 && refused.headers["Retry-After"] == "5", "\(text(refused))")
        try await two.server.reloadRootKeys { both }
        _ = try await two.tokens(refresh.0, refresh.1)
        for instance in [one, two] { await instance.stop() }
    }

    @Test func `a home without the key in use does not start`() async throws {
        let home = try TemporaryFolder()
        let (both, other) = (try file(Self.new, Self.old), try file(Self.third))
        let first = try await ServerFixture(home: home) { $0.rootKey = both }
        await first.stop()
        let used = try RootKey.all(both.keys)[0].id
        await #expect(throws: ServerSetupError.lacksRootKey(used)) {
            _ = try await ServerFixture(home: home) { $0.rootKey = other }
        }
        let next = try file(Self.third, Self.new)
        let second = try await ServerFixture(home: home) { $0.rootKey = next }
        await second.stop()
    }

    @Test func `a backup knows which root key was in use`() async throws {
        let url = try await DatabaseKind.newPostgresURL()
        let (old, both) = (try file(Self.old), try file(Self.new, Self.old))
        let fixture = try await ServerFixture { options in
            (options.database, options.rootKey, options.clock) = (url, old, .system)
        }
        let mail = try await fixture.askForMail()
        let session = try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        try await fixture.server.reloadRootKeys { both }
        try await passNotice(url, both)
        try await fixture.server.reloadKeys()
        let backup = fixture.home.path + "-backup"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        _ = try await ServerBackup(of: fixture.home.path, to: backup, database: url, rootKey: both).run()
        await fixture.stop()
        let files = try TemporaryFolder()
        _ = try await ServerRestore(of: backup, to: files.path).run()
        let used = try RootKey.all(both.keys)[0].id
        await #expect(throws: ServerSetupError.lacksRootKey(used)) {
            _ = try await ServerFixture(home: files) { ($0.rootKey, $0.clock) = (old, .system) }
        }
        let restored = try await ServerFixture(home: files) { ($0.rootKey, $0.clock) = (both, .system) }
        _ = try await restored.tokens("/token?grant_type=refresh_token", ["refresh_token": session.refreshToken])
        await restored.stop()
    }

    @Test func `a bad file leaves the keys and is told`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("root-key")
        let ring = RingSink(capacity: 1_000)
        func write(_ text: String, mode: Int = 0o600) throws {
            try? FileManager.default.removeItem(atPath: path)
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try write(Self.old)
        let root = try ServerRootKey(file: path)
        let fixture = try await ServerFixture(logger: Logger(category: "server", sink: ring)) { $0.rootKey = root }
        let mail = try await fixture.askForMail()
        var token = try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code]
        ).refreshToken
        let ten = (0..<10).map { Self.digits("1\($0)") + "\n" }.joined()
        let bad: [(String, String, Int)] = [
            ("empty", "", 0o600), ("damaged", String(Self.old.dropLast()) + "\n", 0o600),
            ("a damaged second line", Self.old + "\nx\n", 0o600),
            ("too long", Self.old + String(repeating: "\n", count: 5_000), 0o600),
            ("too many", ten, 0o600), ("one key twice", Self.old + "\n" + Self.old, 0o600),
            ("readable by others", Self.new + "\n" + Self.old, 0o644), ("without the key in use", Self.new, 0o600),
        ]
        for (name, content, mode) in bad {
            try write(content, mode: mode)
            await #expect(throws: (any Error).self, "\(name)") {
                try await fixture.server.reloadRootKeys { try ServerRootKey(file: path) }
            }
            let ready = try await fixture.get("/readyz")
            #expect(ready.status == 200 && text(ready).contains(#""keys":"stale""#), "\(name): \(text(ready))")
            token = try await fixture.tokens("/token?grant_type=refresh_token", ["refresh_token": token]).refreshToken
        }
        for place in [folder.path, folder.file("missing")] {
            #expect(throws: SettingError.self) { _ = try ServerRootKey(file: place) }
        }
        try write(Self.new + "\r\n\n" + Self.old + "\n")
        try await fixture.server.reloadRootKeys { try ServerRootKey(file: path) }
        #expect(text(try await fixture.get("/readyz")).contains(#""keys":"ok""#))
        token = try await fixture.tokens("/token?grant_type=refresh_token", ["refresh_token": token]).refreshToken
        await fixture.stop()
        let lines = ring.snapshot().map { "\($0.category) \($0.message.text) \($0.metadata)" }
        #expect(lines.contains { $0.contains("were not read again") })
        #expect(lines.contains { $0.hasPrefix("audit root-key-rotation") })
        for digits in [Self.old, Self.new] { #expect(!lines.contains { $0.contains(digits) }) }
    }

    @Test func `SIGHUP reads the file of a running server again`() async throws {
        let home = try TemporaryFolder()
        let path = home.file("root-key")
        func write(_ keys: String...) throws {
            try Data(keys.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        func status() throws -> String {
            try ServerProcess.run(["keys", "status", "--home", home.path, "--key-file", path]).output
        }
        try write(Self.old)
        let server = try ServerProcess(home: home.path, ["--key-file", path])
        _ = try await server.signIn(ServerFixture.makeClient())
        #expect(try status().contains("in use"))
        try write("nonsense")
        server.hangUp()
        try await eventually("the mistake is told") { try server.log.contains { $0.contains("the earlier ones stay") } }
        try write(Self.new, Self.old)
        server.hangUp()
        try await eventually("the change is told") { try server.log.contains { $0.contains("root-key-rotation") } }
        let lines = try status().split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[1].contains("in use") && lines[2].contains("  needed  "), "\(lines)")
        #expect(server.stop() == 0)
    }
}
