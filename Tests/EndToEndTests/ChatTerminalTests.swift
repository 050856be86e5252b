// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import StructuredJSON
import TestKit
import Testing

/// `parley chat` at a terminal: what a person types and sees.
@Suite(.timeLimit(.minutes(5))) struct ChatTerminalTests {
    private let prompt = "› "

    @Test func questionsFollowOneAnother() async throws {
        try await ChatFixture.using([.init(.message("# One\n\n- a **bold** word")), .init(.message("Two"))]) { chat in
            let terminal = try chat.terminal("chat")
            try await terminal.shows(prompt)
            try terminal.type("first\r")
            try await terminal.shows("\u{1B}[1;4mOne\u{1B}[0m")
            try await terminal.shows("a \u{1B}[1mbold\u{1B}[0m word")
            try await terminal.shows(prompt)
            // The arrow brings the first question back; Alt-Enter begins a line.
            try terminal.type("\u{1B}[A again\u{1B}\rline\r")
            try await terminal.shows("Two")
            try await terminal.shows(prompt)
            try terminal.type("/cost\r")
            try await terminal.shows("tokens in")
            try await terminal.shows(prompt)
            try terminal.type("/quit\r")
            #expect(await terminal.code() == 0, "\(terminal.text)")
            #expect(
                chat.inputs == [
                    ["user: first"],
                    ["user: first", "assistant: # One\n\n- a **bold** word", "user: first again\nline"],
                ])
            #expect(!terminal.text.contains("sk-never-shown"))
            let inputs = chat.parley.path("home/data/chat-inputs")
            #expect(
                try String(contentsOfFile: inputs, encoding: .utf8).hasPrefix("\"first\"\n\"first again\\nline\"\n"))
            let attributes = try FileManager.default.attributesOfItem(atPath: inputs)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func ctrlCStopsTheAnswerAndNotTheProgram() async throws {
        let endless = Scenario.Turn(.message("one two three four five six"), faults: [.stall(afterEvents: 8)])
        try await ChatFixture.using([endless, .init(.message("Better."))]) { chat in
            let terminal = try chat.terminal("chat")
            try await terminal.shows(prompt)
            try terminal.type("first\r")
            try await terminal.shows("one two")
            try terminal.type("\u{3}")
            try await terminal.shows("Stopped.")
            try await chat.simulator.waitForRequests { $0.first?.outcome == .abandoned }
            try await terminal.shows(prompt)
            try terminal.type("second\r")
            try await terminal.shows("Better.")
            try await terminal.shows(prompt)
            // At the prompt it takes the line away, and twice it ends.
            for _ in 1...2 {
                try terminal.type("draft\u{3}")
                try await terminal.shows("Ctrl-C again")
                try await terminal.shows(prompt)
            }
            try terminal.type("\u{3}")
            #expect(await terminal.code() == 0)
            #expect(chat.inputs.count == 2)
            #expect(chat.inputs.last?.first == "user: first" && chat.inputs.last?.last == "user: second")
        }
    }

    @Test func aLostConnectionLeavesWhatCameAndTheProgram() async throws {
        let cut = Scenario.Turn(.message("one two three four five six"), faults: [.cut(afterEvents: 8)])
        try await ChatFixture.using([cut, .init(.message("Whole."))]) { chat in
            let terminal = try chat.terminal("chat")
            try await terminal.shows(prompt)
            try terminal.type("first\r")
            try await terminal.shows("one two")
            try await terminal.shows("broke off")
            try await terminal.shows(prompt)
            try terminal.type("second\r")
            try await terminal.shows("Whole.")
            try await terminal.shows(prompt)
            let file = chat.parley.path("chat.md")
            try terminal.type("/save \(file)\r")
            try await terminal.shows("The chat is in")
            try await terminal.shows(prompt)
            let saved = try String(contentsOfFile: file, encoding: .utf8)
            #expect(
                saved.contains("\n\none two") && saved.contains("*Interrupted.*") && saved.contains("\n\nWhole."),
                "\(saved)")
            try terminal.type("/save \(file)\r")
            try await terminal.shows("already; it stays")
            try await terminal.shows(prompt)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == saved)
            try terminal.type("/save \(chat.parley.path("chat.json"))\r")
            try await terminal.shows("The chat is in")
            try await terminal.shows(prompt)
            let json = try JSONSerialization.jsonObject(
                with: try Data(contentsOf: URL(filePath: chat.parley.path("chat.json"))))
            #expect(((json as? [String: Any])?["messages"] as? [Any])?.count == 4)
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0)
        }
    }

    @Test func theBudgetHolds() async throws {
        try await ChatFixture.using { chat in
            let terminal = try chat.terminal("chat", "--budget", "0.000001")
            try await terminal.shows(prompt)
            try terminal.type("first\r")
            try await terminal.shows(prompt)
            try terminal.type("second\r")
            try await terminal.shows("The budget of")
            try await terminal.shows(prompt)
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0)
            #expect(chat.inputs.count == 1)
        }
    }

    @Test func aPasteIsOneQuestionAndTheModelCanBeChanged() async throws {
        try await ChatFixture.using { chat in
            let terminal = try chat.terminal("chat")
            try await terminal.shows("\u{1B}[?2004h")
            try await terminal.shows(prompt)
            try terminal.type("\u{1B}[200~two\r\nlines\u{1B}[201~")
            try await terminal.shows("lines")
            try terminal.type("\r")
            try await terminal.shows(prompt)
            try terminal.type("/model gpt-5-nano\r")
            try await terminal.shows("gpt-5-nano answers from now on")
            try await terminal.shows(prompt)
            try terminal.type("/mdoel x\r")
            try await terminal.shows("Did you mean /model?")
            try await terminal.shows(prompt)
            try terminal.type("more\r")
            try await terminal.shows(prompt)
            try terminal.type("\u{4}")
            #expect(await terminal.code() == 0)
            #expect(terminal.text.hasSuffix("\u{1B}[?2004l"), "the terminal is given back")
            #expect(chat.inputs.first == ["user: two\nlines"])
            #expect(chat.simulator.requests.map { $0.json?["model"]?.string } == ["gpt-5", "gpt-5-nano"])
        }
    }

    @Test func offlineItIsTheSameConversation() async throws {
        let parley = try ParleyProcess()
        let terminal = try TerminalRun(
            [ParleyProcess.executable, "chat", "--offline"],
            environment: parley.environment.merging(["TERM": "xterm"]) { $1 })
        try await terminal.shows(prompt)
        try terminal.type("capital of Texas\r")
        try await terminal.shows("Austin")
        try await terminal.shows(prompt)
        try terminal.type("capital of France\r")
        try await terminal.shows("US states")
        try await terminal.shows(prompt)
        try terminal.type("\u{4}")
        #expect(await terminal.code() == 0)
    }

    @Test func closingTheTerminalEndsIt() async throws {
        try await ChatFixture.using { chat in
            let terminal = try chat.terminal("chat")
            try await terminal.shows(prompt)
            terminal.close()
            let code = await terminal.code()
            #expect([0, 129, 130].contains(code), "\(code)")
        }
    }
}
