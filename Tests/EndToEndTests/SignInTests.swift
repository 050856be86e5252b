// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Signing in without a terminal: pipes, scripts, and the JSON that they read.
@Suite(.timeLimit(.minutes(5))) struct SignInTests {
    private let fixture: SignInFixture

    init() throws { fixture = try SignInFixture() }

    @Test func byTheCodeOfTheMail() async throws {
        let running = try fixture.start(["sign-in", SignInFixture.email, "--code", "--json", "--verbose"])
        let mail = try await fixture.server.mail()
        #expect(mail.recipient == SignInFixture.email)
        running.write("\(mail.wrongCode)\n\(mail.code)\n")
        let result = await running.finished()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.events.compactMap { $0["event"] as? String } == ["mailRequested", "refused", "signedIn"])
        let refusal = try #require(result.event("refused")?["error"] as? [String: Any])
        #expect(refusal["code"] as? String == "auth.wrongCode" && refusal["attemptsLeft"] as? Int == 4)
        let who = try await fixture.whoami()
        #expect(who == (0, SignInFixture.email))

        // The log says what happened, and nothing that would be worth a look.
        #expect(result.errors.contains("link_requested") && result.errors.contains("sign_in_succeeded"))
        #expect(result.errors.contains("sign_in_failed(wrongCode)"))
        for secret in [mail.code, mail.wrongCode, SignInFixture.email, "eyJ", "token="] {
            #expect(!result.errors.contains(secret), "\(secret): \(result.errors)")
        }
        #expect(!result.output.contains("oken\""), "\(result.output)")
    }

    @Test func inTwoStepsByAnotherProcess() async throws {
        let asked = try await fixture.run("sign-in", SignInFixture.email, "--no-wait", "--json")
        #expect(asked.code == 0, "\(asked.errors)")
        #expect(asked.events.compactMap { $0["event"] as? String } == ["mailRequested"])
        #expect(asked.event("mailRequested")?["resendAt"] is String)
        let mail = try await fixture.server.mail()
        let wrong = try await fixture.run("verify", mail.wrongCode)
        #expect(wrong.code == 3 && wrong.errors.contains("4 tries are left"), "\(wrong.errors)")
        // The server's address was kept.
        let verified = try await fixture.parley.run("verify", mail.link, "--json")
        #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
        #expect(verified.events.first?["server"] as? String == fixture.server.address)
        let again = try await fixture.parley.run("verify", mail.code)
        #expect(again.code == 3 && again.errors.contains("signed in already"), "\(again.errors)")
    }

    @Test func aLinkThatComesBackEndsTheWaitWithoutATerminal() async throws {
        let running = try fixture.start(["sign-in", SignInFixture.email, "--json"])
        running.closeInput()
        let (_, page) = try await fixture.browse(fixture.server.mail().link)
        #expect(page?.contains("Go back to the program") == true)
        let result = await running.finished()
        #expect(result.code == 0 && result.event("signedIn") != nil, "\(result.output)\(result.errors)")
    }

    @Test func withoutACodeThePipeEndsInARefusal() async throws {
        let silent = try await fixture.run("sign-in", SignInFixture.email, "--code")
        #expect(silent.code == 3 && silent.errors.contains("parley verify CODE"), "\(silent.errors)")
        // The mail stays good.
        let soon = try await fixture.run("sign-in", SignInFixture.email, "--code", "--json")
        let error = try #require(soon.events.first?["error"] as? [String: Any])
        #expect(soon.code == 3 && error["code"] as? String == "auth.tooManyMails" && error["until"] is String)
        #expect(try await fixture.run("verify", fixture.server.mail().code).code == 0)
    }

    @Test func tooManyWrongCodesNeedAnotherMail() async throws {
        let running = try fixture.start(["sign-in", SignInFixture.email, "--code"])
        let mail = try await fixture.server.mail()
        running.write(String(repeating: mail.wrongCode + "\n", count: 5))
        let result = await running.finished()
        #expect(result.code == 3, "\(result.errors)")
        #expect(result.errors.contains("One try is left") && result.errors.contains("Ask for another mail"))
        #expect(try await fixture.run("verify", mail.code).code == 3)
    }

    @Test func whatIsNotThereIsSaid() async throws {
        let nowhere = try await fixture.parley.run("whoami")
        #expect(nowhere.code == 2 && nowhere.errors.contains("--server URL"), "\(nowhere.errors)")
        for words in [["whoami"], ["sessions", "list"], ["sign-out", "--everywhere"]] {
            let result = try await fixture.start(words).finished()
            #expect(result.code == 3 && result.errors.contains("parley sign-in EMAIL"), "\(words): \(result.errors)")
        }
        let out = try await fixture.run("sign-out")
        #expect(out.code == 0 && out.output.contains("Nobody was signed in"))
        let early = try await fixture.run("verify", "123456")
        #expect(early.code == 3 && early.errors.contains("No mail was asked for"), "\(early.errors)")
    }

    @Test(arguments: [
        (["sign-in"], "EMAIL is missing"), (["sign-in", "ada"], "no e-mail address"),
        (["sign-in", "a@b.example", "--code", "--link-by", "loopback"], "exclude each other"),
        (["sign-in", "a@b.example", "--server", "auth.example.org"], "Write it whole"),
        (["sign-in", "a@b.example", "--server", "http://auth.example.org"], "must be https"),
        (["sign-in", "a@b.example", "--server", "ftp://auth.example.org"], "Write it whole"),
        (["sessions", "revoke"], "--others"), (["sessions", "revoke", "x", "--others"], "--others"),
    ])
    func whatMakesNoSenseIsRefused(_ words: [String], _ message: String) async throws {
        let result = try await fixture.parley.start(words).finished()
        #expect(result.code == 2 && result.errors.contains(message), "\(result.errors)")
    }

    @Test func withoutANetworkNothingIsLost() async throws {
        try await fixture.signIn()
        fixture.server.kill()
        let who = try await fixture.run("whoami")
        #expect(who.code == 5 && who.errors.contains("cannot be reached"), "\(who.errors)")
        let list = try await fixture.run("sessions", "list", "--json")
        #expect((list.events.first?["error"] as? [String: Any])?["code"] as? String == "auth.noNetwork")
        let again = try await fixture.run("sign-in", SignInFixture.email, "--no-wait")
        #expect(again.code == 5, "\(again.errors)")
        let out = try await fixture.run("sign-out")
        #expect(out.code == 5 && out.errors.contains("Signed out here"), "\(out.errors)")
        #expect(try await fixture.run("whoami").code == 3)
        let anew = try await fixture.run("sign-in", SignInFixture.email)
        #expect(anew.code == 5 && anew.errors.contains("cannot be reached"), "\(anew.errors)")
    }

    @Test func whatIsKeptIsForItsOwnerAlone() async throws {
        try await fixture.signIn()
        let mail = try await fixture.server.mail()
        let paths = try FileManager.default.subpathsOfDirectory(atPath: fixture.parley.path("home"))
        var names: Set<String> = []
        for path in paths {
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.parley.path("home/" + path))
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            names.insert(path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(path)")
            let content = FileManager.default.contents(atPath: fixture.parley.path("home/" + path)) ?? Data()
            for secret in [SignInFixture.email, mail.code, "refreshToken", "refresh_token"] {
                #expect(content.range(of: Data(secret.utf8)) == nil, "\(path) has \(secret)")
            }
        }
        #expect(names.isSuperset(of: ["config/account.json", "data/session.lock", "data/secrets.sealed"]), "\(names)")
    }
}
