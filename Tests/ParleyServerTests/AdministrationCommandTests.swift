// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import Foundation
import Networking
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// `parley-server users`, `jobs`, `mails`, `stats` and `service-token`, beside a server.
@Suite(.timeLimit(.minutes(5))) struct AdministrationCommandTests {
    private func run(_ home: String, _ words: String...) throws -> ChildProcess.Result {
        try ServerProcess.run(words + ["--home", home])
    }

    private func json(_ home: String, _ words: String...) throws -> [String: Any] {
        let result = try ServerProcess.run(words + ["--json", "--home", home])
        try #require(result.code == 0, "\(words): \(result.errors)")
        return try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test func `a person is invited, found, blocked and deleted`() async throws {
        let home = try TemporaryFolder()
        let early = try run(home.path, "users", "list")
        #expect(early.code == 6 && early.errors.contains("is no server's home"))
        let server = try ServerProcess(home: home.path)
        let client = try ServerFixture.makeClient()
        _ = try await server.signIn(client)
        let invited = try json(home.path, "users", "invite", "bob@example.org")
        let id = try #require(invited["id"] as? String)
        #expect(invited["confirmed_at"] == nil && invited["invited_at"] != nil)
        // The server finds the letter of another process.
        let mails = home.path + "/mail/new"
        try await eventually("the invitation arrives") {
            try FileManager.default.contentsOfDirectory(atPath: mails).contains { name in
                try String(contentsOfFile: "\(mails)/\(name)", encoding: .utf8).contains("You are invited to Parley.")
            }
        }
        let list = try run(home.path, "users", "list", "--per-page", "1")
        #expect(list.output.contains("bob@example.org") && list.output.hasSuffix("1 of 2\n"))
        #expect(list.errors.contains("actor=operator") && !list.errors.contains("bob@"), "\(list.errors)")
        #expect(try json(home.path, "users", "find", "BOB")["total"] as? Int == 1)
        #expect(try run(home.path, "users", "show", "bob@example.org").output.contains("no sessions"))
        #expect(try json(home.path, "users", "block", id, "--hours", "2")["banned_until"] != nil)
        #expect(try json(home.path, "stats")["blocked"] as? Int == 1)
        #expect(try json(home.path, "users", "unblock", id)["banned_until"] == nil)
        let acts = try #require(try json(home.path, "audit", "--account", id)["events"] as? [[String: Any]])
        let actions = acts.compactMap { ($0["details"] as? [String: String])?["action"] }
        #expect(actions == ["unblock", "block", "show", "invite"])
        let audit = try run(home.path, "audit", "--since", "2026-01-01", "--limit", "3")
        #expect(audit.output.split(separator: "\n").count == 4 && audit.output.contains("action=unblock"))
        #expect(try run(home.path, "audit", "--since", "2026-01-31T10:00:00Z", "--limit", "3").code == 0)
        for wrong in [
            "yesterday", "26-01-31", "2026-02-31", "2026-02-31T10:00:00Z", "2026-01-31T25:00:00Z", "2026-01-31T10:00",
        ] {
            #expect(try run(home.path, "audit", "--since", wrong).code == 2, "\(wrong)")
        }
        let deleted = try json(home.path, "users", "delete", "bob@example.org")
        #expect(deleted["receipt"] != nil)
        let gone = try run(home.path, "users", "show", id)
        #expect(gone.code == 3 && gone.errors.contains("user_not_found"))
        // A part of an address names nobody.
        #expect(try run(home.path, "users", "delete", "a@").code != 0)
        let ada = try json(home.path, "users", "find", "@")
        let account = try #require((ada["accounts"] as? [[String: Any]])?.first?["id"] as? String)
        #expect(try run(home.path, "users", "sign-out", account).output == "1 sessions\n")
        #expect(try json(home.path, "stats")["sessions"] as? Int == 0)
        #expect(server.stop() == 0)
    }

    @Test(arguments: ["settings", "--version", "help serve"]) func `a full output is an error`(words: String) throws {
        func run(_ end: String) throws -> ChildProcess.Result {
            let program = ChildProcess.path(besideTests: "parley-server")
            return try ChildProcess("bash", ["-c", "\"$0\" \(words) \(end)", program], errors: .captured).finish()
        }
        let full = try run("> /dev/full")
        #expect(full.end == .exited(6) && full.errors.contains("The output cannot be written: No space left"))
        let left = try run("| true; exit ${PIPESTATUS[0]}")
        #expect(left.end == .exited(0) && left.errors.isEmpty)
    }

    @Test func `only an invitation needs the templates of mails`() async throws {
        let (home, words) = (try TemporaryFolder(), try TemporaryFolder())
        let server = try ServerProcess(home: home.path, ["--mail-templates", words.path])
        _ = try await server.signIn(ServerFixture.makeClient())
        #expect(server.stop() == 0)
        try FileManager.default.removeItem(atPath: words.path)
        #expect(try run(home.path, "users", "block", "ada@example.org").code == 0)
        let invitation = try run(home.path, "users", "invite", "bob@example.org")
        #expect(invitation.code == 2 && invitation.errors.contains("The folder cannot be listed."))
        #expect(try json(home.path, "stats")["accounts"] as? Int == 1)
        // Commands run in other folders.
        var options = ServerOptions(home: home.path, mail: .folder(""))
        options.mailTemplates = "words"
        let identity = try MailIdentity(options, address: "", sender: EmailAddress("parley@example.org"))
        #expect(identity.templates == FileManager.default.currentDirectoryPath + "/words")
    }

    @Test func `failed evaluations are shown and made again`() async throws {
        let home = try TemporaryFolder()
        let fixture = try await ServerFixture(home: home)
        let ada = try await fixture.signIn("ada@example.org")
        try await fixture.upload(SoundSample(300), as: ada)
        try await eventually("the evaluation fails") {
            try await fixture.server.evaluationCounts()["failed"] == 1
        }
        await fixture.stop()
        let report = try json(home.path, "jobs")
        let failed = try #require((report["failed"] as? [[String: Any]])?.first)
        #expect((failed["reason"] as? String)?.isEmpty == false && failed["account"] as? String == ada.account)
        let number = try #require(failed["number"] as? Int)
        #expect(try run(home.path, "jobs").output.contains(ada.account))
        #expect(try run(home.path, "jobs", "retry", "\(number + 1)").code == 3)
        #expect(try run(home.path, "jobs", "retry").code == 2)
        #expect(try json(home.path, "jobs", "retry", "\(number)")["jobs"] as? Int == 1)
        #expect((try json(home.path, "jobs")["counts"] as? [String: Int])?["waiting"] == 1)
        #expect(try json(home.path, "jobs", "retry", "--all")["jobs"] as? Int == 0)
        let stats = try json(home.path, "stats")
        #expect(stats["accounts"] as? Int == 1 && stats["recordings"] as? Int == 1)
        #expect(stats["recording_bytes"] as? Int == 300 && stats["sessions"] as? Int == 0)
    }

    @Test func `waiting mails are counted, without their addresses`() async throws {
        let home = try TemporaryFolder()
        // Nobody listens there.
        var options = ServerOptions(home: home.path, mail: .folder(""))
        options.mail = .server(
            .init(host: "127.0.0.1", port: 9, protection: .startTLS), sender: try EmailAddress("parley@example.org"))
        let server = try await ParleyServer.start(options)
        let client = try ServerFixture.makeClient()
        let url = try #require(URL(string: server.address + "/otp"))
        let answer = try await client.send(
            .init(
                .post, url, headers: ["Content-Type": "application/json"],
                body: .bytes(Array(#"{"email":"ada@example.org"}"#.utf8))))
        #expect(answer.status == 200)
        await server.stop(grace: .seconds(1))
        let report = try json(home.path, "mails")
        let mails = try #require(report["mails"] as? [String: Any])
        #expect(mails["waiting"] as? Int == 1 && mails["oldest_at"] != nil)
        #expect(mails["last_failure"] as? String == "connect")
        let text = try run(home.path, "mails")
        #expect(text.output.contains("notifications") && !text.output.contains("ada@"))
    }

    @Test func `a service token is made and revoked by commands`() async throws {
        let home = try TemporaryFolder()
        let server = try ServerProcess(home: home.path, ["--admin", "public"])
        let client = try ServerFixture.makeClient()
        let made = try json(home.path, "service-token", "--lifetime", "1")
        let (token, id) = (try #require(made["token"] as? String), try #require(made["id"] as? String))
        func status() async throws -> Int {
            let url = try #require(URL(string: server.address + "/admin/users"))
            return try await client.send(.init(.get, url, headers: ["Authorization": "Bearer \(token)"])).status
        }
        #expect(try await status() == 200)
        #expect(try run(home.path, "service-token", "revoke", id).code == 0)
        #expect(try await status() == 401)
        #expect(server.stop() == 0)
        let refused = try ServerProcess.run(["serve", "--dev", "--home", home.path, "--admin", "operator"])
        #expect(refused.code == 2 && refused.errors.contains("--admin operator needs --metrics-port."))
    }
}
