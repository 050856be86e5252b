// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import NetworkingTestSupport
import TestKit
import Testing

/// Questions that wait for the model, and a network that is cut, through the real program.
@Suite(.timeLimit(.minutes(5))) struct LaterTests {
    /// A home whose model is behind a network that can be cut.
    struct Home {
        let chat: ChatFixture
        let network: NetworkCut
        var parley: ParleyProcess { chat.parley }

        /// The texts of the stored messages.
        func stored() async throws -> [String] { try await messages().map { $0["text"] as? String ?? "" } }

        func messages() async throws -> [[String: Any]] {
            let shown = try await parley.run("history", "--json")
            return shown.events.flatMap { $0["messages"] as? [[String: Any]] ?? [$0] }
        }

        /// A question that is kept, since the network is cut.
        func keep(_ question: String) async throws {
            network.cut()
            let kept = try await parley.run("ask", "--later", question)
            #expect(kept.code == 0 && kept.output.isEmpty && kept.errors.contains("kept"), "\(kept)")
            network.restore()
        }
    }

    private static func using(_ turns: [Scenario.Turn], _ body: (Home) async throws -> Void) async throws {
        try await ChatFixture.using(turns, dialect: .llamaCpp) { chat in
            let network = try NetworkCut(before: UInt16(chat.simulator.baseURL.port ?? 0))
            let added = try await chat.parley.run(
                "assistant", "add", "home", "--base-url", "http://127.0.0.1:\(network.port)/v1", "--model", "qwen")
            #expect(added.code == 0, "\(added.errors)")
            #expect(try await chat.parley.run("assistant", "use", "home").code == 0)
            try await body(Home(chat: chat, network: network))
            network.close()
        }
    }

    @Test func `a kept question is answered once, in its conversation`() async throws {
        try await Self.using([.init(.message("It is Paris."))]) { home in
            home.network.cut()
            let lost = try await home.parley.run("ask", "capital of Italy", "--json")
            #expect(lost.code == 5 && lost.output.contains("--later"), "\(lost)")
            #expect(!lost.output.contains("what waits"), "nothing does")
            try await home.keep("capital of France")
            let list = try await home.parley.run("later", "list", "--json")
            let waiting = try #require(list.events.first?["questions"] as? [[String: Any]])
            #expect(waiting.map { $0["question"] as? String } == ["capital of France"])
            #expect(waiting.map { $0["stage"] as? String } == ["waiting"])
            let status = try await home.parley.run("status", "--json").events.first?["waiting"] as? [String: Any]
            #expect(status?["questions"] as? Int == 1)
            let run = try await home.parley.run("later", "run")
            #expect(run.code == 0 && run.output.contains("It is Paris."), "\(run)")
            #expect(try await home.parley.run("later", "run").code == 0)
            let stored = try await home.messages().suffix(2)
            #expect(stored.map { $0["text"] as? String } == ["capital of France", "It is Paris."])
            #expect(stored.last?["source"] as? String == "model:qwen")
            #expect(home.chat.simulator.requests.filter { $0.path == "/v1/chat/completions" }.count == 1)
            #expect(try await home.parley.run("later", "list").output.isEmpty)
        }
    }

    @Test func `while the model is away it waits on, and can be given up`() async throws {
        try await Self.using([]) { home in
            try await home.keep("capital of France")
            home.network.cut()
            let run = try await home.parley.run("later", "run")
            #expect(run.code == 5 && run.errors.contains("1 question still waits:"), "\(run)")
            let list = try await home.parley.run("later", "list", "--json")
            let waiting = try #require(list.events.first?["questions"] as? [[String: Any]])
            let name = try #require(waiting.first?["name"] as? String)
            #expect(try await home.parley.run("later", "cancel", name).code == 0)
            #expect(try await home.parley.run("later", "cancel", name).code == 3)
            #expect(try await home.parley.run("later", "run").code == 0)
            #expect(home.chat.simulator.requests.isEmpty)
        }
    }

    @Test func `a program that is killed while it asks loses nothing`() async throws {
        let turns: [Scenario.Turn] = [
            .init(.message("It is Paris, of course."), faults: [.stall(afterEvents: 6)]),
            .init(.message("It is Paris.")),
        ]
        try await Self.using(turns) { home in
            try await home.keep("capital of France")
            let killed = try home.parley.start(["later", "run"])
            try await home.chat.simulator.waitForRequests { $0.contains { $0.path == "/v1/chat/completions" } }
            killed.kill(SIGKILL)
            _ = await killed.finished()
            #expect(try await home.stored().first == "capital of France")
            let list = try await home.parley.run("later", "list", "--json")
            #expect(list.output.contains("capital of France"), "\(list)")
            // Its lease ends after 15 s; until then no other program asks.
            let requests = home.chat.simulator.requests.count
            let early = try await home.parley.run("later", "run")
            #expect(early.code == 5 && home.chat.simulator.requests.count == requests, "\(early)")
        }
    }

    @Test func `a chat keeps a question, and answers it while it runs`() async throws {
        try await Self.using([.init(.message("It is Paris."))]) { home in
            home.network.cut()
            let terminal = try home.chat.terminal("chat", environment: ["OPENAI_BASE_URL": "", "PARLEY_MODEL": ""])
            try await terminal.shows("/help")
            try terminal.type("capital of France\r")
            try await terminal.shows("/later keeps the question.")
            home.network.restore()
            try terminal.type("/later\r")
            try await terminal.shows("is kept")
            try await terminal.shows("It is Paris.")
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0)
            #expect(try await home.stored() == ["capital of France", "It is Paris."])
        }
    }

    @Test func `listen answers what waits, and shows it`() async throws {
        try await Self.using([.init(.message("It is Paris."))]) { home in
            try await home.keep("capital of France")
            let quiet = home.parley.path("quiet.wav")
            try SoundFixtures.tool("/usr/bin/sox", ["-n", "-r", "16000", "-b", "16", quiet, "trim", "0", "120"])
            let running = try home.parley.start(
                ["listen", "--input", quiet, "--output", "/dev/null", "--no-notifications", "--json"])
            let listen = await running.interrupted(at: #""later""#)
            let later = try #require(listen.event("later"), "\(listen)")
            #expect(later["question"] as? String == "capital of France" && later["answer"] as? String == "It is Paris.")
            #expect(try await home.stored() == ["capital of France", "It is Paris."])
            #expect(try await home.parley.run("later", "list").output.isEmpty)
        }
    }

    @Test func `a chat outlives the network`() async throws {
        let story = "Once upon a time there was a cat that liked to sleep on the warm stove."
        try await Self.using([.init(.message(story)), .init(.message("I am back."))]) { home in
            home.network.arm(
                .init("POST", "/v1/chat/completions", .inAnswerBehind(#""content":"#, count: 4)))
            let terminal = try home.chat.terminal("chat", environment: ["OPENAI_BASE_URL": "", "PARLEY_MODEL": ""])
            try await terminal.shows("/help")
            try terminal.type("tell me a story\r")
            try await terminal.shows("Once upon")
            try await terminal.shows("broke off")
            try terminal.type("capital of Texas\r")
            try await terminal.shows("this machine answers by itself")
            try await terminal.shows("The capital of Texas is Austin.")
            home.network.restore()
            try terminal.type("are you back?\r")
            try await terminal.shows("The model answers again.")
            try await terminal.shows("I am back.")
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0)
            let messages = try await home.messages()
            #expect(
                messages.filter { $0["role"] as? String == "user" }.map { $0["text"] as? String } == [
                    "tell me a story", "capital of Texas", "are you back?",
                ])
            let answer = try #require(messages.dropFirst().first)
            #expect(answer["state"] as? String == "interrupted", "\(answer)")
            #expect((answer["text"] as? String).map { !$0.isEmpty && story.hasPrefix($0) } == true, "\(answer)")
        }
    }

    @Test func `without a history, or for another model, nothing is kept`() async throws {
        try await Self.using([]) { home in
            #expect(try await home.parley.run("ask", "--later", "--no-history", "why").code == 2)
            #expect(try await home.parley.run("talk", "--later", "--mode", "realtime").code == 2)
            let other = try await home.chat.run("chat", "--later", "why")
            #expect(other.code == 2 && other.errors.contains("parley assistant use"), "\(other)")
            _ = try await home.parley.run("assistant", "use", "states")
            let run = try await home.parley.run("later", "run")
            #expect(run.code == 2 && run.errors.contains("No model"), "\(run)")
        }
    }
}
