// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import TestKit
import Testing

/// Consent to tools, as a person gives it at a terminal.
@Suite(.timeLimit(.minutes(5))) struct ConsentTests {
    private let prompt = "› "
    private let question = "Type yes, no or always, then press Enter: "
    private static let call = Scenario.Turn(.functionCall("add", arguments: #"{"a": 20}"#))
    private static let answer = Scenario.Turn(.message("Done."))

    private func add(_ chat: ChatFixture, _ mode: String...) async throws {
        let words = ["mcp", "add", "calc", "--timeout", "300", "--"] + chat.plainServer() + mode
        let added = try await chat.parley.start(words).finished()
        #expect(added.code == 0 && added.errors.contains("It has 1 tool."), "\(added.errors)")
    }

    @Test func `random keys allow no call without a whole word`() async throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        // Typed before the question, anything may come, the answers too.
        let early = [
            "yes\r", "always\r", "always\ralways\r", "y\r", "a\r", "ye", "s\r", "\u{1B}[200~yes\n\u{1B}[201~",
            "\u{1B}[A",
            "\u{C}",
        ]
        // Typed behind the question, whole words are left out.
        let late = [
            "y\r", "a\r", "Y\r", "yess\r", "yes yes\r", "\r", "and what about Ohio?\r", "abort\r", "\u{1B}[A\r",
            "\u{1B}[200~yes\n\u{1B}[201~x\r", "always \u{7F}\u{7F}\r", "\u{C}", "ja\r",
        ]
        func keys(_ from: [String]) -> String {
            (0..<Int.random(in: 0...5, using: &random)).map { _ in from.randomElement(using: &random) ?? "" }.joined()
        }
        // What was typed early is asked later, and asks for consent again, as often as it likes.
        let turns = (0..<20).flatMap { _ in [Self.call, Self.answer] }
        for _ in 0..<6 {
            try await ChatFixture.using(turns) { chat in
                try await add(chat)
                let terminal = try chat.terminal("chat")
                try await terminal.shows(prompt)
                try terminal.type("go\r" + keys(early))
                try await terminal.shows(question)
                for _ in 0..<Int.random(in: 0...5, using: &random) {
                    let piece = late.randomElement(using: &random) ?? ""
                    try terminal.type(piece)
                    // It is no answer, so the question comes again; what was typed before that answers nothing.
                    if piece.contains("\r") { try await terminal.shows(question) }
                }
                try terminal.type("\u{15}no\r")
                try await terminal.shows("You declined add(a: 20).")
                terminal.close()
                _ = await terminal.code()
                #expect(chat.calls.isEmpty, "seed \(seed): \(terminal.text)")
            }
        }
        // The same way lets a whole word through.
        try await ChatFixture.using(turns) { chat in
            try await add(chat)
            let terminal = try chat.terminal("chat")
            try await terminal.shows(prompt)
            try terminal.type("go\r" + keys(early))
            try await terminal.shows(question)
            try terminal.type("\u{15}yes\r")
            try await terminal.shows("add(a: 20) → 42")
            terminal.close()
            _ = await terminal.code()
            #expect(chat.calls.count == 1, "seed \(seed)")
        }
    }

    @Test func `a question typed meanwhile is not lost`() async throws {
        try await ChatFixture.using([Self.call, Self.answer, .init(.message("Austin."))]) { chat in
            try await add(chat)
            let terminal = try chat.terminal("chat")
            try await terminal.shows(prompt)
            try terminal.type("go\r")
            try await terminal.shows(question)
            try terminal.type("xy\r")
            try await terminal.shows("\"xy\" is not an answer.")
            try await terminal.shows(question)
            try terminal.type("capital of Texas\r")
            try await terminal.shows("is not an answer.")
            try await terminal.shows(question)
            try terminal.type("yes\r")
            try await terminal.shows("add(a: 20) → 42")
            try await terminal.shows("capital of Texas")
            try terminal.type("?\r")
            try await terminal.shows("Austin.")
            try await terminal.shows(prompt)
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0)
            #expect(chat.inputs.last?.last == "user: capital of Texas?" && chat.calls.count == 1)
        }
    }

    @Test func `one question at a terminal is asked for consent too`() async throws {
        try await ChatFixture.using([Self.call, Self.answer, Self.call, Self.answer]) { chat in
            try await add(chat)
            for (answer, calls) in [("no", 0), ("yes", 1)] {
                let terminal = try chat.terminal("chat", "go")
                // Type-ahead; the terminal itself keeps it.
                try terminal.type("yes\nalways\ny")
                try await terminal.shows(question)
                try terminal.type("\(answer)\n")
                try await terminal.shows("Done.")
                #expect(await terminal.code() == 0)
                #expect(chat.calls.count == calls, "\(terminal.text)")
            }
        }
    }

    @Test func `another terminal shows and answers what waits`() async throws {
        try await ChatFixture.using([Self.call, Self.answer]) { chat in
            try await add(chat)
            let none = try await chat.parley.run("approve", "--list")
            #expect(none.code == 0 && none.errors.contains("No tool waits"), "\(none.errors)")
            #expect(try await chat.parley.run("approve", input: "yes\n").code == 2, "a pipe gives no consent")
            let terminal = try chat.terminal("chat")
            try await terminal.shows(prompt)
            try terminal.type("go\r")
            try await terminal.shows(question)
            let listed = try await chat.parley.run("approve", "--list", "--json")
            #expect(listed.events.first?["tool"] as? String == "add", "\(listed.output) \(listed.errors)")
            let other = try chat.terminal("approve")
            try await other.shows("wants to call add of calc.")
            try await other.shows(question)
            try other.type("y\n")
            try await other.shows("is not an answer.")
            try await other.shows(question)
            try other.type("yes\n")
            try await other.shows("Answered: yes.")
            #expect(await other.code() == 0)
            try await terminal.shows("add(a: 20) → 42")
            try await terminal.shows(prompt)
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0)
            #expect(chat.calls.count == 1)
            let left = try FileManager.default.contentsOfDirectory(atPath: chat.parley.path("home/data/consents"))
            #expect(left.isEmpty)
        }
    }

    @Test func `an approval ends with the command that it was given for`() async throws {
        try await ChatFixture.using([Self.call, Self.answer, Self.call, Self.answer]) { chat in
            try await add(chat)
            let first = try chat.terminal("chat", "go")
            try await first.shows(question)
            try first.type("always\n")
            try await first.shows("Type always again")
            try first.type("always\n")
            try await first.shows("Done.")
            #expect(await first.code() == 0)
            let path = chat.parley.path("home/config/mcp.json")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try text.replacing("plain_tools.py", with: "../Fixtures/plain_tools.py")
                .write(toFile: path, atomically: true, encoding: .utf8)
            let second = try chat.terminal("chat", "go")
            try await second.shows("when its server was another program or address")
            try await second.shows(question)
            try second.type("no\n")
            try await second.shows("Done.")
            #expect(await second.code() == 0)
            #expect(chat.calls.count == 1)
        }
    }

    @Test func `a server that hangs or dies is named and explained`() async throws {
        try await ChatFixture.using([Self.answer]) { chat in
            let hanging = try await chat.parley.start(
                ["mcp", "add", "hang", "--timeout", "1", "--"] + chat.plainServer("hang")
            ).finished()
            #expect(
                hanging.code == 0 && hanging.errors.contains("It does not work now: Tool server"), "\(hanging.errors)")
            let tools = try await chat.parley.run("mcp", "tools", "hang")
            #expect(
                tools.code == 5
                    && tools.errors.contains(
                        #"Tool server "hang" did not start within 1 s. Raise its timeout in mcp.json, or run: parley mcp remove hang"#
                    ),
                "\(tools.errors)")
            let terminal = try chat.terminal("chat", "Hi")
            try await terminal.shows("Starting the tool server hang …")
            try await terminal.shows("did not start within 1 s")
            try await terminal.shows("Done.")
            #expect(await terminal.code() == 0)
            let dying = try await chat.parley.start(
                ["mcp", "add", "die", "--timeout", "300", "--"] + chat.plainServer("die")
            ).finished()
            #expect(dying.code == 0, "\(dying.errors)")
            let called = try await chat.parley.run("mcp", "call", "die", "add")
            #expect(
                called.code == 6
                    && called.errors.contains(
                        "ended with status 3. It wrote last: Traceback: / OSError: the disk is on fire"),
                "\(called.errors)")
        }
    }
}
