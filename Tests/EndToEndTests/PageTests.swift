// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import EchoSimulator
import Foundation
import TestKit
import Testing

/// The page of `parley dashboard`, in headless Chromium as a person uses it, and attacked as others would.
@Suite("The page", .timeLimit(.minutes(30))) struct PageTests {
    /// A program that serves the page.
    private struct Served {
        let parley: ParleyProcess
        let running: ChildProcess
        let address: String

        init(_ parley: ParleyProcess, _ words: String...) async throws {
            self.parley = parley
            running = try parley.start(["dashboard", "--no-open", "--json"] + words)
            let line = running.line() ?? ""
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            address = try #require(event?["address"] as? String, "\(line)")
        }

        /// Runs scenarios of a script; each must find nothing.
        func passes(_ script: String, _ words: String..., after address: String? = nil) async throws {
            try await passes(script, words, after: address)
        }

        func passes(_ script: String, _ words: [String], after address: String?) async throws {
            let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(script).py")
                .path
            // Chromium leaves a folder in the one for temporary files.
            let folder = try TemporaryFolder()
            let result = try await ChildProcess(
                "python3", [path, address ?? self.address] + words, environment: .adding(["TMPDIR": folder.path]),
                errors: .captured
            ).finished()
            let lines = result.events
            #expect(result.code == 0 && !lines.isEmpty, "\(result.errors.suffix(2_000))")
            for line in lines {
                #expect((line["findings"] as? [Any])?.isEmpty == true, "\(line)")
            }
        }

        /// Another link to the same page.
        func anotherAddress() async throws -> String {
            let second = try await parley.run("dashboard", "--no-open", "--json")
            #expect(second.code == 0)
            return try #require(second.event("page")?["address"] as? String)
        }

        func stop() async {
            running.kill(SIGINT)
            _ = await running.finished()
        }
    }

    @Test func `a page that cannot follow the programs says so`() async throws {
        let parley = try ParleyProcess()
        try FileManager.default.createDirectory(atPath: parley.path("home/data"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(filePath: parley.path("home/data/live")))
        let result = try await parley.start(["dashboard", "--no-open", "--json"]).finished()
        #expect(result.code != 0 && result.events.last?["error"] is [String: Any], "\(result)")
    }

    @Test func `a command of the page asks nothing at the terminal of the dashboard`() async throws {
        let parley = try ParleyProcess()
        #expect(try await parley.run("settings", "set", "theme", "plain").code == 0)
        let lock = try TerminalRun([ParleyProcess.executable, "secrets", "lock"], environment: parley.environment)
        for question in ["New passphrase: ", "Once more: "] {
            try await lock.shows(question)
            try lock.type("open sesame\n")
        }
        #expect(await lock.code() == 0, "\(lock.text)")
        let page = try TerminalRun(
            [ParleyProcess.executable, "dashboard", "--no-open"], environment: parley.environment)
        try await page.shows("#t=")
        try await eventually("the whole address") { page.text.contains("until Ctrl-C") }
        let found = try #require(page.text.firstMatch(of: /http:(\S+)#t=(\S+)/))
        // A question in the background of that terminal would stop the command for good.
        let script = """
            import json, sys, urllib.request as u
            page, fields = sys.argv[1], {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
            def post(path, body):
                request = u.Request(page + path, json.dumps(body).encode(), fields)
                return json.load(u.urlopen(request, timeout=60))
            fields["Authorization"] = "Bearer " + post("api/session", {"token": sys.argv[2]})["session"]
            print(json.dumps(post("api/run", {"words": ["settings", "list"]})))
            """
        let asked = try await ChildProcess(
            "python3", ["-c", script, "http:\(found.1)", "\(found.2)"], errors: .captured
        ).finished()
        #expect(asked.code == 0 && asked.output.contains("terminal"), "\(asked)")
        try page.type("\u{3}")
        _ = await page.code()
    }

    /// Serves the page while something is done with it.
    private static func serving(_ parley: ParleyProcess, _ body: (Served) async throws -> Void) async throws {
        let served = try await Served(parley)
        let result: Result<Void, any Error>
        do { result = .success(try await body(served)) } catch { result = .failure(error) }
        await served.stop()
        try result.get()
    }

    @Test func `nobody else gets in`() async throws {
        let parley = try ParleyProcess()
        try await Self.serving(parley) { try await $0.passes("page_attacks", parley.path("home")) }
    }

    @Test(.browser) func `a second run gives another link to the same page`() async throws {
        let parley = try ParleyProcess()
        try await Self.serving(parley) { served in
            let address = try await served.anotherAddress()
            #expect(address != served.address)
            #expect(address.prefix { $0 != "#" } == served.address.prefix { $0 != "#" })
            try await served.passes("page_browser", "shell", after: address)
        }
    }

    @Test func `the file that leads the browser to the page ends with the page`() async throws {
        let parley = try ParleyProcess()
        let programs = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: programs.file("xdg-open"), withDestinationPath: "/usr/bin/true")
        let running = try parley.start(
            ["dashboard", "--json"], environment: ["PATH": "\(programs.path):/usr/bin:/bin"])
        let file = parley.path("home/data/open-page.html")
        try await eventually("the browser is led to the page") { FileManager.default.fileExists(atPath: file) }
        running.kill(SIGINT)
        _ = await running.finished()
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(.browser) func `each view can be seen and used, in each look, by the keyboard alone`() async throws {
        try await Self.serving(try ParleyProcess()) { served in
            try await served.passes("page_browser", "trees", "shell", "looks", "keyboard", "tabs", "texts", "states")
        }
    }

    @Test(.browser) func `nothing is lost while the page is slow, hidden or of an earlier run`() async throws {
        try await Self.serving(try ParleyProcess()) { served in
            try await served.passes("page_browser", "ahead", "places", "hidden", "leaving", "closed")
        }
    }

    @Test(.browser) func `questions, conversations and texts that are no code`() async throws {
        let turns = (0..<20).map { _ in Scenario.Turn(.message("Answer.")) }
        try await ChatFixture.withModelInUse(turns) { chat in
            try await Self.serving(chat.parley) { try await $0.passes("page_browser", "chat") }
        }
    }

    @Test(.browser) func `an answer goes on after the page was loaded again`() async throws {
        let text = """
            # Slowly

            **Bold** and *leaning*, [a map](https://example.org/map), [no link](javascript:alert(1)), <script>alert(1)</script>.

            - one
              - two

            1. first

            | a | b |
            |---|---|
            | 1 | 2 |

            ```
            code
            ```

            \(String(repeating: "More words of the answer come. ", count: 60))

            The end of the answer.
            """
        let slow = Scenario.Turn(
            .message(text), times: 2, pace: Scenario.Pace(chunk: 20, delay: .milliseconds(60)))
        try await ChatFixture.withModelInUse([slow]) { chat in
            try await Self.serving(chat.parley) { try await $0.passes("page_browser", "reload") }
        }
    }

    @Test(.browser) func `a tool is called after a whole word that was typed`() async throws {
        let turns = [
            Scenario.Turn(.functionCall("add", arguments: #"{"a": 40, "b": 2}"#)),
            Scenario.Turn(.message("That is 42.")),
        ]
        try await ChatFixture.withModelInUse(turns) { chat in
            let words = ["mcp", "add", "calc", "--timeout", "300", "--"] + chat.plainServer()
            #expect(try await chat.parley.start(words).finished().code == 0)
            try await Self.serving(chat.parley) { try await $0.passes("page_browser", "consent") }
            #expect(chat.calls.count == 1)
        }
    }

    @Test(.browser) func `the other views, with what a machine without a sound card can do`() async throws {
        try await Self.serving(try ParleyProcess()) { served in
            try await served.passes(
                "page_views", "practice", "dashboard", "redraw", "listening", "settings", "typing", "language",
                "start", "failure", "looks")
        }
    }

    @Test(.browser) func `a long list of cues is the server's, and says when it is old`() async throws {
        let fixture = try SignInFixture()
        let file = fixture.parley.path("cues.jsonl")
        let more = (0..<70).map { #"{"text": "Club \#($0)", "language": "en", "topic": "clubs", "level": 1}"# }
        try Data(more.joined(separator: "\n").utf8).write(to: URL(filePath: file))
        try await fixture.server.manage("cues", "import", file)
        try await fixture.signIn()
        let list = try await fixture.run("cues", "list", "--limit", "2", "--json").events.last
        let removed = try #require((list?["cues"] as? [[String: Any]])?.last)
        let text = try #require(removed["text"] as? String)
        try await Self.serving(fixture.parley) { served in
            try await served.passes("page_views", "catalogue", "--cues", "250")
            try await fixture.server.manage("cues", "remove", try #require(removed["id"] as? String))
            let words = ["--cues", "249", "--removed", text]
            try await served.passes("page_views", ["catalogue"] + words, after: served.anotherAddress())
            fixture.server.kill()
            try await served.passes("page_views", ["catalogue", "--old"] + words, after: served.anotherAddress())
        }
    }

    @Test(.browser) func `a development build shows logs, flags, caches and requests`() async throws {
        let parley = try ParleyProcess()
        let served = try await Served(parley, "--developer")
        try await served.passes("page_views", "developer")
        await served.stop()
    }

    @Test(.browser)
    func `a development build breaks the network of all programs, and tells their requests`() async throws {
        try await ChatFixture.withModelInUse([Scenario.Turn(.message("Answer."), times: 100)]) { chat in
            let served = try await Served(chat.parley, "--developer")
            let question = try SoundFixtures(folder: chat.parley.folder).speech("What is the capital of France?")
            let talk = try await chat.parley.run(
                "talk", "--input", question, "--output", chat.parley.path("answer.wav"), "--no-history")
            #expect(talk.code == 0, "\(talk.errors)")
            let scene = try ListenTests.scene(
                [("hey jarvis", 3), ("what is the capital of france", 3)], end: 8, in: chat.parley)
            let listen = try await chat.parley.run(
                "listen", "--input", scene, "--output", chat.parley.path("answers.wav"), "--no-notifications")
            #expect(listen.code == 0, "\(listen.errors)")
            try await served.passes("page_views", "faults")
            await served.stop()
        }
    }

    @Test(.browser, .enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    func `practice, the wake word and the first steps with a microphone and a loudspeaker`() async throws {
        let parley = try ParleyProcess()
        let sounds = SoundFixtures(folder: parley.folder)
        // The sound begins anew for each program: the wake word would be the question of `parley talk`.
        func sound(of text: String) throws -> String {
            let scene = try ListenTests.scene([(text, 1)], end: 30, in: parley)
            let shape = [
                "-r", "\(FileMicrophone.sampleRate)", "-c", "1", "-b", "16", "-e", "signed-integer", "-t", "raw",
            ]
            return try sounds.converted(scene, shape, to: "microphone.raw")
        }
        let microphone = try await FileMicrophone(hearing: sound(of: "hey jarvis"), home: parley.folder)
        #expect(try await parley.run("settings", "set", "device", FileMicrophone.device).code == 0)
        try await Self.serving(parley) { served in
            try await served.passes("page_views", "practice", "settings", "--sound")
            _ = try sound(of: "what is the capital of texas")
            try await served.passes("page_views", "start", "talk", "--sound", after: served.anotherAddress())
        }
        withExtendedLifetime(microphone) {}
    }

    @Test(.browser) func `what parley listen does is on the page while it happens`() async throws {
        let parley = try ParleyProcess()
        let scene = try ListenTests.scene(
            [("hey jarvis", 3), ("what is the capital of texas", 3)], end: 8, in: parley)
        try await Self.serving(parley) { served in
            let watching = try Self.watching(served, "listen")
            #expect(watching.line()?.contains("ready") == true)
            let listen = try await parley.run(
                "listen", "--input", scene, "--output", parley.path("answers.wav"), "--no-notifications")
            #expect(listen.code == 0, "\(listen.errors)")
            let result = await watching.finished()
            #expect(result.code == 0, "\(result.output) \(result.errors)")
        }
    }

    @Test(.browser) func `a page whose program was killed says so, and so does one with an old session`() async throws {
        let parley = try ParleyProcess()
        let served = try await Served(parley)
        let port = try #require(served.address.split(separator: ":").last?.prefix { $0.isNumber })
        let watching = try Self.watching(served, "killed")
        #expect(watching.line()?.contains("ready") == true)
        served.running.kill(SIGKILL)
        _ = await served.running.finished()
        #expect(watching.line()?.contains("ended") == true)
        let again = try await Served(parley, "--port", String(port))
        let result = await watching.finished()
        #expect(result.code == 0, "\(result.output) \(result.errors)")
        await again.stop()
    }

    private static func watching(_ served: Served, _ scenario: String) throws -> ChildProcess {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/page_live.py").path
        return try ChildProcess("python3", [path, served.address, scenario], environment: .adding([:]))
    }
}
