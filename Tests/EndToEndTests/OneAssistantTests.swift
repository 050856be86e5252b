// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import EchoSimulator
import Foundation
import StructuredJSON
import TestKit
import Testing

/// One assistant behind `ask`, `talk`, `listen` and `chat`: who answers, what is stored, how a conversation goes on.
@Suite struct OneAssistantTests {
    private static func messages(_ parley: ParleyProcess) async throws -> [[String: Any]] {
        let shown = try await parley.run("history", "--json")
        return shown.events.flatMap { $0["messages"] as? [[String: Any]] ?? [$0] }
    }

    @Test func `ask passes on what the states do not answer, and both are stored`() async throws {
        try await ChatFixture.withModelInUse([.init(.message("It is Paris."))]) { chat in
            let state = try await chat.parley.run("ask", "capital of Texas", "--json")
            #expect(state.events.first?["source"] as? String == "states", "\(state)")
            #expect(chat.simulator.requests.isEmpty, "a model is asked only where this machine has no answer")
            let other = try await chat.parley.run("ask", "capital of France")
            #expect(other.code == 0 && other.output == "It is Paris.\n", "\(other)")
            let stored = try await Self.messages(chat.parley)
            #expect(
                stored.map { $0["text"] as? String } == [
                    "capital of Texas", "The capital of Texas is Austin.", "capital of France", "It is Paris.",
                ])
            #expect(stored.map { $0["source"] as? String } == [nil, "states", nil, "model:qwen"])
        }
    }

    @Test(.enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    func `the volume of the sound server and the speed of the voice are set by a question`() async throws {
        let parley = try ParleyProcess()
        let pulse = try await PulseDaemon()
        try Data("ctl.!default { type pulse server \"\(pulse.address)\" }\n".utf8)
            .write(to: URL(filePath: parley.path(".asoundrc")))
        for (question, answer) in [
            ("set the volume to 40 percent", "The volume is 40 percent."), ("louder", "The volume is 50 percent."),
            ("mute", "The sound is off."), ("speak slower", "I speak at 85 percent of my usual speed."),
        ] {
            let asked = try await parley.run("ask", question)
            #expect(asked.code == 0 && asked.output == answer + "\n", "\(asked)")
        }
        let volume = try await pulse.volume()
        #expect(volume == (50, true))
        #expect(try await parley.run("settings", "get", "speed").output.contains("85"))
    }

    @Test func `a machine without a loudspeaker says so`() async throws {
        let parley = try ParleyProcess()
        try Data("ctl.!default { type hw card 31 }\n".utf8).write(to: URL(filePath: parley.path(".asoundrc")))
        let asked = try await parley.run("ask", "louder")
        #expect(asked.code != 0 && asked.errors.contains("sound card"), "\(asked)")
    }

    @Test func `at a terminal a model that refuses does not end the questions`() async throws {
        try await ChatFixture.withModelInUse([.init(faults: [.status(401)])]) { chat in
            let run = try TerminalRun([ParleyProcess.executable, "ask"], environment: chat.parley.environment)
            try await run.shows("? ")
            try run.type("capital of France\r")
            try await run.shows("does not accept the key")
            try run.type("capital of Texas\r")
            try await run.shows("The capital of Texas is Austin.")
            try run.type("\u{4}")
            #expect(await run.code() == 0, "\(run.text)")
        }
    }

    @Test func `at a terminal Ctrl-C stops the answer and not the questions`() async throws {
        let endless = Scenario.Turn(.message("one two three four five six"), faults: [.stall(afterEvents: 4)])
        try await ChatFixture.withModelInUse([endless]) { chat in
            let run = try TerminalRun([ParleyProcess.executable, "ask"], environment: chat.parley.environment)
            try await run.shows("? ")
            try run.type("capital of France\r")
            try await run.shows("one")
            try run.type("\u{3}")
            try await run.shows("Stopped.")
            try await run.shows("? ")
            try run.type("capital of Texas\r")
            try await run.shows("The capital of Texas is Austin.")
            try run.type("\u{4}")
            #expect(await run.code() == 0, "\(run.text)")
        }
    }

    @Test func `at a terminal a wrong address does not end the questions`() async throws {
        try await ChatFixture.using { chat in
            let address = chat.simulator.baseURL.deletingLastPathComponent().absoluteString + "nowhere"
            let added = try await chat.parley.run("assistant", "add", "away", "--base-url", address, "--model", "qwen")
            #expect(added.code == 0, "\(added.errors)")
            #expect(try await chat.parley.run("assistant", "use", "away").code == 0)
            let run = try TerminalRun([ParleyProcess.executable, "ask"], environment: chat.parley.environment)
            try await run.shows("? ")
            try run.type("capital of France\r")
            try await run.shows("parley:")
            try run.type("capital of Texas\r")
            try await run.shows("The capital of Texas is Austin.")
            try run.type("\u{4}")
            #expect(await run.code() == 0, "\(run.text)")
        }
    }

    @Test func `while the model is away the answer is an error, and states are answered`() async throws {
        try await ChatFixture.withModelInUse([]) { chat in
            await chat.simulator.close()
            #expect(try await chat.parley.run("ask", "capital of Texas").code == 0)
            let other = try await chat.parley.run("ask", "capital of France", "--json")
            #expect(other.code == 5, "\(other)")
            let answer = try await chat.parley.run("chat", "capital of Texas", "--json")
            #expect(answer.code == 0 && answer.event("answer")?["text"] as? String == "The capital of Texas is Austin.")
            #expect((answer.event("notice")?["text"] as? String)?.contains("this machine answers") == true, "\(answer)")
        }
    }

    @Test func `a chat goes on with all that was said, its tools too`() async throws {
        let call = Scenario.Answer(items: [.functionCall(name: "add", arguments: #"{"a":1,"b":2}"#)])
        let turns: [Scenario.Turn] = [
            .init(.answer(call)), .init(.message("It is 3.")), .init(.message("Still 3.")), .init(.message("Yes.")),
        ]
        try await ChatFixture.using(turns) { chat in
            let server = chat.plainServer()
            #expect(
                try await chat.parley.start(["mcp", "add", "plain", "--timeout", "300", "--"] + server).finished().code
                    == 0)
            let first = try await chat.run("chat", "1+2?", "--allow-tools", "--json")
            #expect(first.code == 0, "\(first)")
            let second = try await chat.run("chat", "--continue", "sure?", "--no-tools", "--json")
            #expect(second.event("answer")?["text"] as? String == "Still 3.", "\(second)")
            let last = try #require(chat.inputs.last)
            #expect(last.first == "user: 1+2?" && last.last == "user: sure?", "\(last)")
            #expect(last.contains { $0.hasPrefix("call ") } && last.contains("assistant: It is 3."), "\(last)")
            let list = try await chat.parley.run("conversations", "list", "--json")
            let all = list.events.flatMap { $0["conversations"] as? [[String: Any]] ?? [$0] }
            #expect(all.count == 1, "one conversation: \(list.output)")
            let name = try #require(all.first?["id"] as? String ?? all.first?["name"] as? String, "\(list.output)")
            let third = try await chat.run("chat", "--conversation", String(name.prefix(8)), "really?", "--no-tools")
            #expect(third.output == "Yes.\n", "\(third)")
            #expect(chat.inputs.last?.suffix(3) == ["user: sure?", "assistant: Still 3.", "user: really?"])
        }
    }

    @Test func `without a history nothing is stored`() async throws {
        try await ChatFixture.using([.init(.message("Hello."))]) { chat in
            let first = try await chat.run("chat", "Hi", "--no-history")
            let list = try await chat.parley.run("conversations", "list")
            let second = try await chat.run("chat", "--continue", "Hi")
            #expect(first.code == 0 && list.output.isEmpty && second.code == 3, "\(first)\(list)\(second)")
        }
    }
}
