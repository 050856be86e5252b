// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

/// Signing in as a person does it: at a terminal, with a mailbox and a browser.
@Suite(.timeLimit(.minutes(5))) struct SignInTerminalTests {
    private let fixture: SignInFixture

    init() throws { fixture = try SignInFixture() }

    @Test func aWrongCodeAndThenTheRightOne() async throws {
        let terminal = try fixture.signInAtTerminal("--code")
        try await terminal.shows("A mail is on its way to \(SignInFixture.email).")
        let mail = try await fixture.server.mail()
        try await terminal.shows("Code (another mail in ")
        try terminal.type(mail.wrongCode + "\r")
        try await terminal.shows("4 tries are left")
        // Typed with a slip, and in groups.
        try terminal.type("99\u{7F}\u{7F}" + mail.code.prefix(3) + " " + mail.code.suffix(3) + "\n")
        try await terminal.shows("Signed in as \(SignInFixture.email) at \(fixture.server.address)")
        try await terminal.putsOffConsent()
        #expect(await terminal.code() == 0, "\(terminal.text)")
        #expect(try await fixture.whoami() == (0, SignInFixture.email))
    }

    @Test func theLinkComesBackThroughTheBrowser() async throws {
        let terminal = try fixture.signInAtTerminal()
        try await terminal.shows("Open its link in a browser on this machine")
        try await terminal.shows("Code or link (another mail in ")
        let link = try await fixture.server.mail().link
        let (location, page) = try await fixture.browse(link)
        #expect(location.hasPrefix("http://127.0.0.1:") && location.contains("/signed-in?state="))
        #expect(page?.contains("Go back to the program") == true)
        try await terminal.shows("Signed in as \(SignInFixture.email)")
        try await terminal.putsOffConsent()
        #expect(await terminal.code() == 0)
        // Used is used.
        await #expect(throws: SignInFixture.LedNowhere.self) { try await fixture.browse(link) }
    }

    @Test func theLinkIsPasted() async throws {
        let terminal = try fixture.signInAtTerminal()
        try await terminal.shows("Code or link (")
        let mail = try await fixture.server.mail()
        try terminal.type("https://elsewhere.example.org/verify?token=abc\n")
        try await terminal.shows("another server")
        try terminal.type(mail.link + "\n")
        try await terminal.shows("Signed in as")
        try await terminal.putsOffConsent()
        #expect(await terminal.code() == 0)
    }

    @Test func thePageOfABrowserElsewhereIsPasted() async throws {
        // The mail is read on another machine, where nobody listens: the person copies where the browser was led to.
        let asked = try await fixture.run("sign-in", SignInFixture.email, "--no-wait", "--link-by", "application")
        #expect(asked.code == 0, "\(asked.errors)")
        let (location, _) = try await fixture.browse(fixture.server.mail().link)
        #expect(location.hasPrefix("parley://signed-in?state="))
        let verified = try await fixture.run("verify", location)
        #expect(verified.code == 0 && verified.output.contains("Signed in as"), "\(verified.errors)")
    }

    @Test func anotherProcessFinishesAndThisOneNotices() async throws {
        let terminal = try fixture.signInAtTerminal("--link-by", "application")
        try await terminal.shows("Open its link in a browser of this desktop")
        let (location, _) = try await fixture.browse(fixture.server.mail().link)
        let handler = try await fixture.run("verify", location)
        #expect(handler.code == 0, "\(handler.errors)")
        try await terminal.shows("Signed in as \(SignInFixture.email)")
        try await terminal.putsOffConsent()
        #expect(await terminal.code() == 0)
        #expect(try await fixture.whoami() == (0, SignInFixture.email))
    }

    @Test(arguments: ["\u{3}", "\u{4}"]) func whoLeavesFinishesLater(_ key: String) async throws {
        let terminal = try fixture.signInAtTerminal()
        let mail = try await fixture.server.mail()
        try await terminal.shows("Code or link (another mail in ")
        try terminal.type(key)
        try await terminal.shows("The mail stays good: parley verify CODE|LINK")
        #expect(await terminal.code() == 130, "\(terminal.text)")
        #expect(try await fixture.run("verify", mail.code).code == 0)
    }

    @Test func aWindowThatIsClosedLosesNothing() async throws {
        let terminal = try fixture.signInAtTerminal()
        let mail = try await fixture.server.mail()
        try await terminal.shows("Code or link (another mail in ")
        terminal.close()
        #expect(await terminal.code() != 0)
        #expect(try await fixture.run("verify", mail.code).code == 0)
    }

    /// The server has sent the mail, and its answer is on the way when the person leaves.
    @Test func aMailWhoseAnswerNobodyWaitedForIsGood() async throws {
        let proxy = try FaultProxy(upstream: .port(fixture.server.port)) {
            $0 == 0 ? Fault(.stall, .beforeResponse) : nil
        }
        defer { proxy.close() }
        let terminal = try TerminalRun(
            [ParleyProcess.executable, "sign-in", SignInFixture.email, "--server", "http://127.0.0.1:\(proxy.port)"],
            environment: fixture.parley.environment)
        try await terminal.shows("Asking for a mail")
        let mail = try await fixture.server.mail()
        try terminal.type("\u{3}")
        try await terminal.shows("The mail stays good")
        #expect(await terminal.code() == 130)
        let verified = try await fixture.parley.run("verify", mail.code)
        #expect(verified.code == 0, "\(verified.errors)")
    }

    /// Takes the minute that a person waits.
    @Test func `the countdown runs and another mail arrives`() async throws {
        let terminal = try fixture.signInAtTerminal()
        let first = try await fixture.server.mail(1)
        try await terminal.shows("Code or link (another mail in ")
        try terminal.type("\n")
        try await terminal.shows("Another mail can be sent in ")
        #expect(fixture.server.mailCount == 1)
        try await terminal.shows("Enter sends another mail")
        let countdown = terminal.text.matches(of: /another mail in (\d+) s/).compactMap { Int($0.output.1) }
        #expect(countdown.first.map { $0 > 50 } == true && countdown.last.map { $0 < 10 } == true, "\(countdown)")
        #expect(zip(countdown, countdown.dropFirst()).allSatisfy { $0 >= $1 }, "\(countdown)")
        try terminal.type("\n")
        try await terminal.shows("The link of the one before does not work any more; its code may.")
        let second = try await fixture.server.mail(2)
        try await terminal.shows("another mail in ")
        #expect(first.link != second.link)
        try terminal.type(first.link + "\n")
        try await terminal.shows("has asked for this mail")
        try terminal.type(first.code + "\n")
        try await terminal.shows("Signed in as")
        try await terminal.putsOffConsent()
        #expect(await terminal.code() == 0)
    }

    @Test func theTerminalIsGivenBackAsItWas() async throws {
        let script = "stty -g > \"$0\"; \"$@\"; stty -g >> \"$0\""
        let words = [
            "/bin/sh", "-c", script, fixture.parley.path("modes"), ParleyProcess.executable, "sign-in",
            SignInFixture.email, "--server", fixture.server.address,
        ]
        let terminal = try TerminalRun(words, environment: fixture.parley.environment)
        try await terminal.shows("Code or link (another mail in ")
        try terminal.type("\u{4}")
        #expect(await terminal.code() == 0)
        let modes = try String(contentsOfFile: fixture.parley.path("modes"), encoding: .utf8).split(separator: "\n")
        #expect(modes.count == 2 && modes.first == modes.last)
    }

    @Test func theAppLockStandsBeforeTheSession() async throws {
        try await fixture.signIn()
        let (program, environment) = (ParleyProcess.executable, fixture.parley.environment)
        let lock = try TerminalRun([program, "secrets", "lock"], environment: environment)
        for question in ["New passphrase: ", "Once more: "] {
            try await lock.shows(question)
            try lock.type("open sesame\n")
        }
        #expect(await lock.code() == 0)
        let who = try TerminalRun([program, "whoami"], environment: environment)
        try await who.shows("Passphrase of the app lock: ")
        try who.type("open sesame\n")
        try await who.shows(SignInFixture.email)
        #expect(await who.code() == 0)
    }
}
