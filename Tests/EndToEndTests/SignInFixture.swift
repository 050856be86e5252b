// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

/// A person with a mailbox, a parley, and a server of their own.
final class SignInFixture {
    let parley: ParleyProcess
    private(set) var server: SignInServer
    static let email = "ada@example.org"

    init() throws {
        parley = try ParleyProcess()
        server = try SignInServer(home: parley.path("server"))
    }

    /// Before the folder goes, which a server that still lives would write into.
    deinit { server.kill() }

    /// Kills the server, if it still runs, and starts another where it was.
    func restartServer() throws {
        server.kill()
        server = try SignInServer(home: parley.path("server"), port: server.port)
    }

    /// Runs parley to its end, with the server in the environment.
    func run(_ arguments: String..., input: String = "") async throws -> ParleyProcess.Result {
        let running = try start(arguments)
        running.write(input)
        return await running.finished()
    }

    /// Starts parley with its input open.
    func start(_ arguments: [String]) throws -> ChildProcess {
        try parley.start(arguments, environment: ["PARLEY_SERVER": server.address])
    }

    /// Starts parley at a terminal, with the server in the environment.
    func startAtTerminal(_ arguments: String...) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable] + arguments,
            environment: parley.environment.merging(["PARLEY_SERVER": server.address]) { $1 })
    }

    /// Says the first English cue at a terminal, keeps the recording, and quits.
    ///
    /// - Parameters:
    ///   - last: A text that appears once the recording is evaluated.
    ///   - environment: Goes before the program's own; the server's address unless it is given.
    ///   - answer: Continues at the terminal after Enter was pressed to keep the recording.
    /// - Returns: All that the terminal showed.
    @discardableResult
    func practise(
        _ arguments: String..., until last: String = "words right", environment: [String: String]? = nil,
        answer: (TerminalRun) async throws -> Void = { _ in }
    ) async throws -> String {
        let environment = environment ?? ["PARLEY_SERVER": server.address]
        let next = try await parley.start(["cues", "next", "--language", "en", "--json"], environment: environment)
            .finished()
        let cues = try #require(next.event("page")?["cues"] as? [[String: Any]])
        let sound = try SoundFixtures(folder: parley.folder).speech(try #require(cues.first?["text"] as? String))
        let terminal = try TerminalRun(
            [ParleyProcess.executable, "practice", "--language", "en", "--input", sound] + arguments,
            environment: parley.environment.merging(environment) { $1 })
        try await terminal.shows("Enter record")
        try terminal.type("\r")
        try await terminal.shows("Enter keep")
        try terminal.type("\r")
        try await answer(terminal)
        try await terminal.shows(last)
        try await terminal.shows("Kept.")
        try terminal.type("q")
        #expect(await terminal.code() == 0, "\(terminal.text)")
        return terminal.text
    }

    /// Starts `parley sign-in` at a terminal.
    func signInAtTerminal(_ arguments: String...) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable, "sign-in", Self.email, "--server", server.address] + arguments,
            environment: parley.environment)
    }

    /// Agrees that what is practised is sent.
    func giveConsent(_ arguments: String...) async throws {
        let given = try await start(["consent", "give"] + arguments).finished()
        try #require(given.code == 0, "\(given.errors)")
    }

    /// Signs in, by the fewest steps.
    ///
    /// - Parameter number: How many mails there are then.
    func signIn(mail number: Int = 1) async throws {
        let asked = try await run("sign-in", Self.email, "--no-wait", "--server", server.address)
        try #require(asked.code == 0, "\(asked.errors)")
        let verified = try await run("verify", try await server.mail(number).code)
        try #require(verified.code == 0, "\(verified.errors)")
    }

    /// What a browser does with a mail's link: it shows the page, a person presses the button, and it goes where that leads.
    ///
    /// - Returns: The address that it was led to, and what it got there; nil for an address that no browser opens itself.
    func browse(_ link: String) async throws -> (location: String, page: String?) {
        let client = try Self.client()
        let page = try await client.send(HTTPRequest(.get, try #require(URL(string: link))))
        try #require(page.status == 200)
        let html = String(decoding: try await page.body.collect(upTo: 1 << 20), as: UTF8.self)
        let form = try #require(html.firstMatch(of: /action="([a-z\/]+)".*name="token" value="([A-Za-z0-9_-]+)"/))
        var button = HTTPRequest(
            .post, try #require(URL(string: server.address + "/" + form.output.1)),
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: .bytes(Array("token=\(form.output.2)".utf8)))
        button.redirects = .stop
        let answer = try await client.send(button)
        _ = try await answer.body.collect(upTo: 1 << 20)
        guard let location = answer.headers["Location"] else { throw LedNowhere(status: answer.status) }
        guard location.hasPrefix("http:") else { return (location, nil) }
        let end = try await client.send(HTTPRequest(.get, try #require(URL(string: location))))
        return (location, String(decoding: try await end.body.collect(upTo: 1 << 20), as: UTF8.self))
    }

    /// What the server counts.
    func metrics() async throws -> String {
        let answer = try await Self.client().send(
            HTTPRequest(.get, try #require(URL(string: server.metrics + "/metrics"))))
        return String(decoding: try await answer.body.collect(upTo: 1 << 20), as: UTF8.self)
    }

    private static func client() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        return try CurlTransport(configuration: configuration)
    }

    /// The page behind the button leads nowhere.
    struct LedNowhere: Error {
        let status: Int
    }

    /// Who is signed in, as `whoami --json` says it.
    func whoami() async throws -> (code: Int32, email: String?) {
        let result = try await run("whoami", "--json")
        return (result.code, (result.events.first?["account"] as? [String: Any])?["email"] as? String)
    }
}
