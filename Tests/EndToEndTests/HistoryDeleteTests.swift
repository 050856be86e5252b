// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@Suite struct HistoryDeleteTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    private func ask(_ questions: String...) async throws {
        for question in questions { #expect(try await parley.run("ask", question).code == 0) }
    }

    private func texts() async throws -> [String] {
        let messages = try await parley.run("history", "--json").events.first?["messages"] as? [[String: Any]]
        return (messages ?? []).compactMap { $0["text"] as? String }
    }

    @Test func `words delete their questions and answers`() async throws {
        try await ask("capital of Ohio", "capital of Utah", "bird of Maine")
        let deleted = try await parley.run("history", "delete", "COLUMBUS", "--yes", "--json")
        #expect(deleted.events.first?["messages"] as? Int == 2, "\(deleted.errors)")
        #expect(try await texts().filter { $0.contains("Ohio") }.isEmpty)
        #expect(try await texts().count == 4)
        #expect(try await parley.run("history", "search", "Columbus").output.isEmpty)
        #expect(try await parley.run("history", "search", "Utah").output.contains("Salt Lake City"))
    }

    @Test func `the newest questions are deleted`() async throws {
        try await ask("capital of Ohio", "capital of Utah", "bird of Maine")
        #expect(try await parley.run("history", "delete", "--last", "2", "--yes").output == "4 messages deleted.\n")
        #expect(try await texts().first == "capital of Ohio")
        #expect(try await texts().count == 2)
    }

    @Test func `a day divides what is deleted`() async throws {
        try await ask("capital of Ohio")
        #expect(try await parley.run("history", "delete", "--before", "2020-01-31", "--yes").output.isEmpty)
        #expect(try await texts().count == 2)
        for range in [["--since", "2999-01-01"], ["--since", "2019-01-01", "--before", "2020-01-31"]] {
            let nothing = try await parley.start(["history", "delete", "--yes"] + range).finished()
            #expect(nothing.code == 0 && nothing.output.isEmpty, "\(nothing)")
        }
        #expect(try await texts().count == 2)
        let days = ["--since", "2020-01-31", "--before", "2999-12-31"]
        let deleted = try await parley.start(["history", "delete", "--yes"] + days).finished()
        #expect(deleted.output == "2 messages deleted.\n", "\(deleted)")
        #expect(try await texts().isEmpty)
    }

    @Test(arguments: [
        "26-11-30", "2026-11-30T23:59", "2026-11-31T12:00", "2026-02-31", "2026-13-01", "2026-1-31", "2026-01-31 ", "",
    ])
    func `a text that is no day deletes nothing`(text: String) async throws {
        try await ask("capital of Ohio")
        for option in ["--since", "--before"] {
            let refused = try await parley.run("history", "delete", option, text, "--yes")
            #expect(refused.code == 2 && refused.output.isEmpty, "\(option): \(refused)")
        }
        #expect(try await texts().count == 2)
    }

    /// Begins a chat and asks a question in it.
    private func chat() async throws -> TerminalRun {
        let chat = try TerminalRun([ParleyProcess.executable, "chat", "--offline"], environment: parley.environment)
        try chat.type("What is the bird of Massachusetts?\r")
        try await chat.shows("chickadee")
        return chat
    }

    /// - Parameter isOpen: True if the chat is still open during the deletion.
    @Test(arguments: [false, true])
    func `nothing is left of what was deleted`(isOpen: Bool) async throws {
        let chat = try await chat()
        if !isOpen {
            try chat.type("\u{4}")
            #expect(await chat.code() == 0, "\(chat.text)")
        }
        try await ask("What is the capital of Massachusetts?", "capital of Ohio")
        #expect(try await parley.run("history", "delete", "Massachusetts", "--yes").code == 0)
        #expect(try await parley.run("ask", "capital of Utah").code == 0)
        for file in try parley.files(below: "home/data") {
            let bytes = try Data(contentsOf: URL(filePath: parley.path("home/data/" + file)))
            for word in ["Massachusetts", "massachusetts", "Boston"] {
                #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is in \(file)")
            }
        }
    }

    @Test func `a deletion that failed is finished by the next one`() async throws {
        let chat = try await chat()
        try chat.type("\u{4}")
        #expect(await chat.code() == 0, "\(chat.text)")
        let (lines, answers) = (parley.path("home/data/chat-inputs"), parley.path("home/data/answers.sqlite"))
        let typed = try Data(contentsOf: URL(filePath: lines))
        #expect(FileManager.default.createFile(atPath: answers, contents: nil))
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: answers)
        #expect(try await parley.run("history", "delete", "--all", "--yes").code == 6)
        #expect(try await texts().count == 2 && !FileManager.default.fileExists(atPath: lines))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: answers)
        #expect(try await parley.run("history", "delete", "--all", "--yes").output == "2 messages deleted.\n")
        // As if the program had been killed after it deleted the messages.
        try typed.write(to: URL(filePath: lines))
        let again = try await parley.run("history", "delete", "--all")
        #expect(again.code == 0 && again.errors.contains("What earlier ones left is deleted."), "\(again)")
        #expect(!FileManager.default.fileExists(atPath: lines))
    }

    @Test func `nothing is deleted unasked`() async throws {
        try await ask("capital of Ohio")
        #expect(try await parley.run("history", "delete", "--all").code == 2)
        let terminal = try TerminalRun(
            [ParleyProcess.executable, "history", "delete", "--all"], environment: parley.environment)
        try await terminal.shows("Type \"delete\"")
        try terminal.type("no\r")
        #expect(await terminal.code() == 3, "\(terminal.text)")
        #expect(try await texts().count == 2)
        for wrong in [
            [], ["--all", "words"], ["--last", "0"], ["--before", "monday"],
            ["--since", "2020-02-01", "--before", "2020-02-01"],
        ] {
            #expect(try await parley.start(["history", "delete"] + wrong).finished().code == 2, "\(wrong)")
        }
        #expect(try await texts().count == 2)
        #expect(try await parley.run("history", "delete", "--all", "--yes").output == "2 messages deleted.\n")
        #expect(try await texts().isEmpty)
    }
}
