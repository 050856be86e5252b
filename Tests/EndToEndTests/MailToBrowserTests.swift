// SPDX-License-Identifier: MIT

import Auth
import Foundation
import Networking
import Security
import TestKit
import Testing

/// Signing in with nothing faked: parley-server as a process, a mail server with STARTTLS and a password, the mail as it arrived,
/// what opens links before the person does, a browser in which the button is pressed, and everything that was used once more.
@Suite(.timeLimit(.minutes(5))) struct MailToBrowserTests {
    /// The mail server is out of reach when the mail is asked for, and the server is killed as soon as it has answered.
    @Test func `a mail survives a killed server`() async throws {
        let (parley, sink) = (try ParleyProcess(), try MailSink())
        var server = try MailingServer(home: parley.path("server"), mailingTo: nil)
        let transport = try MailingServer.transport()
        func client() throws -> GoTrueClient {
            try GoTrueClient(
                baseURL: #require(URL(string: server.address)), clientName: "parley", transport: transport)
        }
        try await client().requestMail(to: "ada@example.org", challenge: nil)
        server.kill()
        server = try MailingServer(home: parley.path("server"), mailingTo: sink)
        let mail = try await sink.next()
        #expect(mail.to == ["ada@example.org"])
        let grant = try await client().verify(code: #require(mail.code), of: "ada@example.org")
        #expect(try await client().user(accessToken: grant.accessToken).email == "ada@example.org")
        #expect(server.stop() == 0)
    }

    @Test(.browser) func aMailSignsInOnce() async throws {
        let (parley, sink) = (try ParleyProcess(), try MailSink())
        let server = try MailingServer(home: parley.path("server"), mailingTo: sink)
        let (base, transport) = (try #require(URL(string: server.address)), try MailingServer.transport())
        let client = try GoTrueClient(baseURL: base, clientName: "parley", transport: transport)
        let (listener, pkce) = (try LoopbackListener(server: base), try PKCE())

        try await client.requestMail(
            to: "Ada@Example.org", challenge: pkce.challenge, redirect: listener.redirect.url)
        let mail = try await sink.next()
        #expect(mail.tls && mail.user == "parley")
        #expect(mail.from == "parley@example.org" && mail.to == ["ada@example.org"])
        for field in ["From: ", "To: ", "Subject: ", "Date: ", "Message-ID: ", "Auto-Submitted: "] {
            #expect(mail.header.count { $0.hasPrefix(field) } == 1, "\(field)")
        }
        let (link, code) = (try #require(mail.link), try #require(mail.code))
        #expect(link.hasPrefix(server.address + "/verify?token="))

        try await openAsScannersDo(link, transport)

        let pages = try await Browser.open(link)
        #expect(pages[0].title == "Sign in to Parley" && pages[0].status == 200 && pages[0].besides.isEmpty)
        #expect(pages[1].address.hasPrefix(listener.redirect.url.absoluteString), "\(pages[1])")
        #expect(pages[1].status == 200 && pages[1].text.contains("Go back to the program"), "\(pages[1])")
        _ = try await listener.link()
        let authCode = Sensitive(
            try #require(URLComponents(string: pages[1].address)?.queryItems?.first { $0.name == "code" }?.value))
        let grant = try await client.exchange(authCode: authCode, verifier: pkce.verifier)
        #expect(try await client.user(accessToken: grant.accessToken).email == "ada@example.org")

        // The link in a browser, and as a program shows it; the code of the same mail; the code that the browser brought.
        let again = try await Browser.open(link)
        #expect(again[1].status == 403 && again[1].title == "This link does not sign in", "\(again[1])")
        #expect(again[1].address == server.address + "/verify/confirm")
        let token = Sensitive(
            try #require(URLComponents(string: link)?.queryItems?.first { $0.name == "token" }?.value))
        await refused("otp_expired") { try await client.verify(tokenHash: token, verifier: pkce.verifier) }
        await refused("otp_expired") { try await client.verify(code: code, of: "ada@example.org") }
        await refused("flow_state_not_found") { try await client.exchange(authCode: authCode, verifier: pkce.verifier) }

        // Tokens: exchanged twice, the first one is old, and whoever shows it ends the session.
        let second = try await client.refresh(grant.refreshToken)
        let third = try await client.refresh(second.refreshToken)
        #expect(try await client.user(accessToken: third.accessToken).email == "ada@example.org")
        await refused("refresh_token_already_used") { try await client.refresh(grant.refreshToken) }
        await refused("session_not_found") { try await client.refresh(third.refreshToken) }
        await refused("session_not_found") { try await client.user(accessToken: third.accessToken) }
        #expect(server.stop() == 0)
    }

    /// The same with `parley` at a terminal, which waits for the browser; then everything that was used, once more.
    @Test(.browser) func parleySignsInAtATerminal() async throws {
        let (parley, sink) = (try ParleyProcess(), try MailSink())
        let server = try MailingServer(home: parley.path("server"), mailingTo: sink)
        let terminal = try TerminalRun(
            [ParleyProcess.executable, "sign-in", "ada@example.org", "--server", server.address],
            environment: parley.environment)
        try await terminal.shows("Code or link (another mail in ")
        let mail = try await sink.next()
        let (link, code) = (try #require(mail.link), try #require(mail.code))
        try await openAsScannersDo(link, MailingServer.transport())
        let pages = try await Browser.open(link)
        #expect(pages[1].text.contains("Go back to the program"), "\(pages[1])")
        try await terminal.shows("Signed in as ada@example.org")
        try await terminal.putsOffConsent()
        #expect(await terminal.code() == 0, "\(terminal.text)")

        func run(_ words: String...) async throws -> ParleyProcess.Result {
            try await parley.start(words, environment: ["PARLEY_SERVER": server.address]).finished()
        }
        #expect(try await run("whoami").output.contains("ada@example.org"))
        #expect(try await Browser.open(link)[1].status == 403)
        // The session as it lies on the disk, for who shows it again after it was signed out.
        let home = parley.path("home")
        try FileManager.default.copyItem(atPath: home, toPath: parley.path("stolen"))
        let left = try await run("sign-out")
        #expect(left.code == 0, "\(left.errors)")
        #expect(try await run("whoami").code != 0)
        try FileManager.default.removeItem(atPath: home)
        try FileManager.default.moveItem(atPath: parley.path("stolen"), toPath: home)
        let again = try await run("whoami")
        #expect(again.code != 0 && !again.output.contains("ada@example.org"), "\(again.output)")
        // The mail, for who asks for another and shows the used one.
        let asked = try await run("sign-in", "ada@example.org", "--no-wait")
        #expect(asked.code == 0, "\(asked.errors)")
        for used in [code, link, pages[1].address] {
            let refused = try await run("verify", used)
            #expect(refused.code != 0 && !refused.output.contains("Signed in"), "\(refused.output)")
        }
        // And what is new is good.
        let verified = try await run("verify", try #require(try await sink.next().code))
        #expect(verified.code == 0, "\(verified.errors)")
        #expect(server.stop() == 0)
    }

    /// What mail servers, chat programs and browsers do with a link that nobody has clicked.
    private func openAsScannersDo(_ link: String, _ transport: CurlTransport) async throws {
        let url = try #require(URL(string: link))
        let visits: [(HTTPMethod, HTTPHeaders)] = [
            (.get, ["User-Agent": "scanner"]), (.head, [:]), (.get, ["Sec-Purpose": "prefetch;prerender"]),
            (.get, ["Purpose": "prefetch"]), (.get, ["X-Moz": "prefetch"]), (.get, ["Range": "bytes=0-99"]),
        ]
        for (method, headers) in visits {
            let response = try await transport.send(HTTPRequest(method, url, headers: headers))
            #expect(response.status == 200)
            let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
            #expect(method == .head ? text.isEmpty : text.contains("<form method=\"post\""))
        }
        // One that runs what the page would run.
        let page = try await Browser.open(link, presses: false)[0]
        #expect(page.title == "Sign in to Parley" && page.besides.isEmpty)
    }

    private func refused(_ code: String, _ operation: () async throws -> some Any) async {
        do {
            _ = try await operation()
            Issue.record("it was accepted, not refused with \(code)")
        } catch let error as AuthError {
            #expect(error.serverCode == code)
        } catch {
            Issue.record("\(error)")
        }
    }
}
