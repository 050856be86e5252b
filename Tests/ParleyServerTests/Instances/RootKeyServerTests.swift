// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Concurrency
import Diagnostics
import Foundation
import Networking
import Security
import TestKit
import Testing

@testable import ParleyServer

/// Another root key takes over on whole servers, with a shared database and without.
@Suite(.timeLimit(.minutes(5))) struct RootKeyServerTests: RootKeySuite {
    private let clock = VirtualAuthClock()

    @Test(arguments: [true, false], [30, 45]) func `a command tells when the old key has served`(
        _ isShared: Bool, idleDays: Int
    ) async throws {
        let url = isShared ? try await DatabaseKind.newPostgresURL() : nil
        let old = try file(Self.old)
        let both = try file(Self.new, Self.old)
        let fixture = try await ServerFixture { options in
            (options.database, options.rootKey) = (url, old)
            options.policy.sessionIdleLifetime = .seconds(idleDays * 86_400)
            if isShared { options.clock = .system }
        }
        let start = isShared ? AuthClock.system.now() : fixture.clock.now
        let mail = try await fixture.askForMail()
        _ = try await fixture.tokens("/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        func states(after time: Duration) async throws -> [RootKeyReport.State] {
            var options = ServerOptions(home: fixture.home.path, mail: .folder(""))
            (options.database, options.rootKey) = (url, both)
            if isShared {
                // PostgreSQL's time goes on by the monotonic clock, which leaps after it was read.
                let readings = Guarded(0)
                options.monotonicClock = AuthClock {
                    readings.withLock {
                        $0 += 1; return $0
                    } > 2 ? start + time : start
                }
            } else {
                options.clock = AuthClock { start + time }
            }
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
        // The command has the limits of the server's start.
        #expect(try await states(after: .seconds((idleDays - 1) * 86_400)) == [.inUse, .needed], "a session")
        #expect(try await states(after: .seconds((idleDays + 1) * 86_400)) == [.inUse, .notNeeded])
        await fixture.stop()
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
}
