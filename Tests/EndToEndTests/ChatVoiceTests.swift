// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import EchoSimulator
import Foundation
import NetworkingTestSupport
import TestKit
import Testing

/// `/voice` and `/text` in `parley chat` at a terminal.
@Suite(.timeLimit(.minutes(5)))
struct ChatVoiceTests {
    private let prompt = "› "

    private func using(
        _ turns: [Scenario.Turn] = [.init(.message("One."))], answer: String = "It is Austin.",
        _ body: (ChatFixture) async throws -> Void
    ) async throws {
        var configuration = SimulatorConfiguration()
        configuration.transcribe = { _ in "What is the capital of Texas?" }
        configuration.answer = { $0.contains("Texas") ? answer : "You wrote that." }
        let fixture = try await ChatFixture(turns, configuration: configuration)
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        await fixture.simulator.close()
        try result.get()
    }

    /// A microphone that hears the question four seconds after it is opened, when everything else is open too on a busy
    /// machine.
    private func microphone(of chat: ChatFixture) async throws -> FileMicrophone {
        let sounds = SoundFixtures(folder: chat.parley.folder)
        let shape = ["-r", "\(FileMicrophone.sampleRate)", "-c", "1", "-b", "16", "-e", "signed-integer", "-t", "raw"]
        let spoken = try Data(
            contentsOf: URL(filePath: try sounds.converted(RealtimeFixture.question, shape, to: "question.raw")))
        let second = Data(count: 2 * FileMicrophone.sampleRate)
        let path = try sounds.file("microphone.raw", second + second + second + second + spoken + second)
        return try await FileMicrophone(hearing: path, home: chat.parley.folder)
    }

    @Test func `what closes the microphone says how to open it`() async throws {
        try await using { chat in
            let terminal = try chat.terminal("chat")
            try await terminal.shows(prompt)
            try terminal.type("/mute\r")
            try await terminal.shows("/voice goes on by voice.")
            try await terminal.shows(prompt)
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0, "\(terminal.text)")
        }
    }

    @Test(.enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    func theConversationGoesOnByVoiceAndInText() async throws {
        try await using { chat in
            let microphone = try await microphone(of: chat)
            let trace = chat.parley.path("trace")
            let terminal = try chat.terminal("chat", "--device", FileMicrophone.device, "--trace", trace)
            try await terminal.shows(prompt)
            try terminal.type("first\r")
            try await terminal.shows("One.")
            try await terminal.shows(prompt)
            try terminal.type("/voice\r")
            try await terminal.shows("Speak.")
            try await terminal.shows("voice› ")
            try await terminal.shows("What is the capital of Texas?")
            try await terminal.shows("It is Austin.")
            try terminal.type("/mute\r")
            try await terminal.shows("muted› ")
            try terminal.type("and typed\r")
            try await terminal.shows("You wrote that.")
            try await terminal.shows("muted› ")
            try terminal.type("/text\r")
            try await terminal.shows("\n\(prompt)")
            try terminal.type("second\r")
            try await terminal.shows(prompt)
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0, "\(terminal.text)")
            #expect(
                chat.inputs.last == [
                    "user: first", "assistant: One.", "user: What is the capital of Texas?", "assistant: It is Austin.",
                    "user: and typed", "assistant: You wrote that.", "user: second",
                ], "\(terminal.text)")
            _ = microphone
            let replayed = try await chat.run("replay", trace)
            #expect(replayed.code == 0, "\(replayed.errors)")
        }
    }

    @Test(.enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    func `a cleared chat goes on in text`() async throws {
        try await using { chat in
            let microphone = try await microphone(of: chat)
            let terminal = try chat.terminal("chat", "--device", FileMicrophone.device)
            try await terminal.shows(prompt)
            try terminal.type("/voice\r")
            try await terminal.shows("voice› ")
            try terminal.type("/mute\r")
            try await terminal.shows("muted› ")
            try terminal.type("/clear\r")
            try await terminal.shows("\n\(prompt)")
            try terminal.type("again\r")
            try await terminal.shows("One.")
            try terminal.type("/voice\r")
            try await terminal.shows("voice› ")
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0, "\(terminal.text)")
            #expect(chat.inputs == [["user: again"]], "\(terminal.text)")
            _ = microphone
        }
    }

    @Test(
        .enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"),
        arguments: [["chat"], ["talk", "--mode", "realtime"]])
    func `the end stores what was said of an answer`(_ words: [String]) async throws {
        let answer = "It is Austin, which lies on the Colorado River, and has been the capital ever since 1839."
        try await using([], answer: answer) { chat in
            let microphone = try await microphone(of: chat)
            let terminal = try TerminalRun(
                [ParleyProcess.executable] + words + ["--device", FileMicrophone.device],
                environment: chat.parley.environment.merging(chat.environment) { $1 })
            if words == ["chat"] {
                try await terminal.shows(prompt)
                try terminal.type("/voice\r")
            }
            try await terminal.shows("What is the capital of Texas?")
            try await terminal.shows("heard after")
            let second = try microphone.heard().count + 2 * FileMicrophone.sampleRate
            try await eventually("a second of it was heard") { try microphone.heard().count > second }
            try terminal.type(words == ["chat"] ? "\u{4}" : "q")
            #expect(await terminal.code() == 0, "\(terminal.text)")
            let shown = try await chat.parley.run("history", "--json")
            let stored = shown.events.flatMap { $0["messages"] as? [[String: Any]] ?? [$0] }
            #expect(stored.map { $0["role"] as? String } == ["user", "assistant"], "\(stored)")
            #expect((stored.last?["state"] as? String)?.hasPrefix("interrupted") == true, "\(stored)")
        }
    }

    @Test(.enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    func `a chat by voice outlives the network`() async throws {
        try await using([.init(.message("It is Austin, a city.")), .init(.message("I am back."))]) { chat in
            let microphone = try await microphone(of: chat)
            let network = try NetworkCut(before: UInt16(chat.simulator.baseURL.port ?? 0))
            network.arm(.init("GET", "/v1/realtime", .inAnswerBehind("response.output_audio.delta", count: 2)))
            let terminal = try chat.terminal(
                "chat", "--device", FileMicrophone.device,
                environment: ["OPENAI_BASE_URL": "http://127.0.0.1:\(network.port)/v1"])
            try await terminal.shows(prompt)
            try terminal.type("/voice\r")
            try await terminal.shows("What is the capital of Texas?")
            // Without a connection it goes on in text, and this machine answers.
            try await terminal.shows("it goes on in text.")
            try terminal.type("capital of Texas\r")
            try await terminal.shows("this machine answers by itself")
            try await terminal.shows("The capital of Texas is Austin.")
            network.restore()
            try terminal.type("are you back?\r")
            try await terminal.shows("The model answers again.")
            try await terminal.shows("I am back.")
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0, "\(terminal.text)")
            let shown = try await chat.parley.run("history", "--json")
            let stored = shown.events.flatMap { $0["messages"] as? [[String: Any]] ?? [$0] }
            #expect(
                stored.filter { $0["role"] as? String == "user" }.map { $0["text"] as? String } == [
                    "What is the capital of Texas?", "capital of Texas", "are you back?",
                ], "\(stored)")
            network.close()
            _ = microphone
        }
    }

    @Test(
        .enabled(
            if: PulseDaemon.isInstalled && ChatFixture.hasPeers,
            "pulseaudio is not installed, or Scripts/test-peers has not run"))
    func `a call by voice is asked about at the prompt`() async throws {
        let call = Scenario.Turn(.functionCall("add", arguments: #"{"a": 20, "b": 22}"#))
        try await using([call, .init(.message("It is 42."))]) { chat in
            let added = try await chat.parley.start(
                ["mcp", "add", "calc", "--timeout", "300", "--"] + ChatFixture.toolServer
            ).finished()
            #expect(added.code == 0, "\(added.errors)")
            let microphone = try await microphone(of: chat)
            let terminal = try chat.terminal("chat", "--device", FileMicrophone.device)
            try await terminal.shows(prompt)
            try terminal.type("/voice\r")
            try await terminal.shows("wants to call add of calc.")
            try await terminal.shows("Type yes, no or always")
            try terminal.type("yes\r")
            try await terminal.shows("→ 42")
            try await terminal.shows("It is 42.")
            try await terminal.shows("voice› ")
            try terminal.type("/text\r")
            try await terminal.shows("\n\(prompt)")
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0, "\(terminal.text)")
            _ = microphone
        }
    }

    @Test(.enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    func aPersonTalksAtTheMicrophone() async throws {
        try await using([]) { chat in
            let microphone = try await microphone(of: chat)
            let open = try chat.terminal("talk", "--mode", "realtime", "--device", FileMicrophone.device)
            try await open.shows("What is the capital of Texas?")
            try await open.shows("It is Austin.")
            try open.type("m")
            try await open.shows("muted")
            try open.type("m")
            try await open.shows("listening")
            try open.type("q")
            #expect(await open.code() == 0, "\(open.text)")

            let pushing = try chat.terminal(
                "talk", "--mode", "realtime", "--push-to-talk", "--device", FileMicrophone.device)
            try await pushing.shows("Enter begins your turn")
            try pushing.type("\r")
            try await pushing.shows("hearing you")
            try await pushing.shows("██")
            try pushing.type("\r")
            try await pushing.shows("What is the capital of Texas?")
            try await pushing.shows("It is Austin.")
            try pushing.type("\u{3}")
            #expect(await pushing.code() == 130, "\(pushing.text)")
            _ = microphone
        }
    }

    @Test(.enabled(if: ChatFixture.hasPeers, "Scripts/test-peers makes the environment"))
    func `a call in talk is answered by a word`() async throws {
        let call = Scenario.Turn(.functionCall("add", arguments: #"{"a": 20, "b": 22}"#))
        let asIs = Scenario.Turn(.message("So be it."))
        try await using([call, .init(.message("It is 42.")), call, asIs, call, asIs]) { chat in
            let added = try await chat.parley.start(
                ["mcp", "add", "calc", "--timeout", "300", "--"] + ChatFixture.toolServer
            ).finished()
            #expect(added.code == 0, "\(added.errors)")
            let words = [
                "talk", "--mode", "realtime", "--voice", "cedar", "--input", RealtimeFixture.question, "--output",
                chat.parley.path("answer.wav"),
            ]
            for (word, shown) in [("yes", "→ 42"), ("no", "You declined add(a: 20, b: 22).")] {
                let terminal = try TerminalRun(
                    [ParleyProcess.executable] + words,
                    environment: chat.parley.environment.merging(chat.environment) { $1 })
                try await terminal.shows("wants to call add of calc.")
                try await terminal.shows("Type yes, no or always")
                try terminal.type(word + "\r")
                try await terminal.shows(shown)
                try await terminal.shows(word == "yes" ? "It is 42." : "So be it.")
                #expect(await terminal.code() == 0, "\(terminal.text)")
            }
            let refused = try await chat.parley.start(words + ["--json"], environment: chat.environment).finished()
            let notice = refused.event("notice")?["text"] as? String
            #expect(notice?.contains("--allow-tools") == true, "\(refused.output)")
            #expect(refused.event("toolResult")?["isError"] as? Bool == true)
            let traces = try await chat.parley.run("trace", "last", "9").output
            #expect(traces.components(separatedBy: "tool call").count == 2, "one of three was made\n\(traces)")
        }
    }

    @Test func whatCannotBeSpokenWithIsSaidAndTheChatGoesOn() async throws {
        try await using { chat in
            let none = "pcm.!default { type hw card 99 }\nctl.!default { type hw card 99 }\n"
            try none.write(toFile: chat.parley.path(".asoundrc"), atomically: true, encoding: .utf8)
            let terminal = try chat.terminal("chat")
            try await terminal.shows(prompt)
            try terminal.type("/voice\r")
            try await terminal.shows("parley:")
            try await terminal.shows("Sound failed")
            try await terminal.shows("\n\(prompt)")
            try terminal.type("first\r")
            try await terminal.shows("One.")
            try await terminal.shows(prompt)
            try terminal.type("/mute\r")
            try await terminal.shows("no microphone")
            try await terminal.shows(prompt)
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0, "\(terminal.text)")
            #expect(terminal.text.components(separatedBy: "Sound failed").count == 2, "\(terminal.text)")
        }
    }
}
