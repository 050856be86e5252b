// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@Suite struct ConversationsTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    private func ask(_ questions: String...) async throws {
        for question in questions { #expect(try await parley.run("ask", question).code == 0) }
    }

    /// The conversations of a list as JSON.
    private func list(_ options: String...) async throws -> (conversations: [[String: Any]], next: String?) {
        let result = try await parley.start(["conversations", "list", "--json"] + options).finished()
        #expect(result.code == 0, "\(result.errors)")
        let page = try #require(result.events.first)
        return (try #require(page["conversations"] as? [[String: Any]]), page["next"] as? String)
    }

    private func ids() async throws -> [String] { try await list().conversations.compactMap { $0["id"] as? String } }

    @Test func `the list is newest first, paged, and pinned ones lead it`() async throws {
        try await ask("capital of Ohio", "capital of Utah", "bird of Maine")
        let (first, next) = try await list("--limit", "2")
        #expect(first.map { $0["firstQuestion"] as? String } == ["bird of Maine", "capital of Utah"])
        #expect(first.map { $0["messages"] as? Int } == [2, 2])
        try await ask("capital of Iowa")
        let (second, end) = try await list("--after", try #require(next))
        #expect(second.map { $0["firstQuestion"] as? String } == ["capital of Ohio"] && end == nil)
        let ohio = try #require(second.first?["id"] as? String)
        #expect(try await parley.run("conversations", "pin", String(ohio.prefix(8))).code == 0)
        #expect(try await ids().first == ohio)
        #expect(try await parley.run("conversations", "list").output.contains("pinned  capital of Ohio"))
        #expect(try await parley.run("conversations", "unpin", ohio).code == 0)
        #expect(try await ids().last == ohio)
    }

    @Test func `one is shown, renamed, found and exported`() async throws {
        try await ask("capital of Ohio", "capital of Utah")
        let id = try #require(try await ids().last)
        let name = String(id.prefix(4))
        #expect(try await parley.run("conversations", "rename", id, "The", "Buckeye", "State").code == 0)
        #expect(try await list().conversations.last?["title"] as? String == "The Buckeye State")
        let shown = try await parley.run("conversations", "show", name).output
        #expect(shown.contains("The Buckeye State") && shown.contains("Columbus"), "\(shown)")
        let found = try await parley.run("conversations", "search", "COLUMBUS", "--json").events.first
        let match = try #require((found?["matches"] as? [[String: Any]])?.first)
        #expect((match["conversation"] as? [String: Any])?["id"] as? String == id)
        #expect((match["messages"] as? [Any])?.count == 1)
        let markdown = try await parley.run("conversations", "export", id).output
        #expect(markdown.hasPrefix("# The Buckeye State\n") && markdown.contains("## You, "), "\(markdown)")
        let path = parley.path("ohio.json")
        #expect(try await parley.run("conversations", "export", id, "--format", "json", "-o", path).code == 0)
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any]
        let messages = try #require(object?["messages"] as? [[String: Any]])
        #expect(messages.map { $0["role"] as? String } == ["user", "assistant"])
        #expect(messages.allSatisfy { $0["state"] as? String == "whole" })
        #expect(try await parley.run("conversations", "rename", id).output.contains("capital of Ohio"))
    }

    @Test func `another form of a word and a slip are found by meaning`() async throws {
        try await ask("capital of Ohio", "What is the capital of Massachusetts?")
        #expect(try await parley.run("conversations", "search", "Masachussetts").output.isEmpty)
        let found = try await parley.run("conversations", "search", "--meaning", "Masachussetts", "--json").events.first
        let match = try #require((found?["matches"] as? [[String: Any]])?.first)
        let texts = (match["messages"] as? [[String: Any]])?.compactMap { $0["text"] as? String } ?? []
        #expect(texts.contains("What is the capital of Massachusetts?"), "\(texts)")
        #expect(try await parley.run("conversations", "search", "--meaning", "qqqq").output.isEmpty)
        #expect(try await parley.run("conversations", "search", "--model", "m", "Ohio").code == 2)
    }

    @Test func `a deleted conversation leaves nothing, and none is deleted unasked`() async throws {
        try await ask("What is the capital of Massachusetts?", "capital of Utah", "bird of Maine")
        let ids = try await ids()
        #expect(try await parley.run("conversations", "delete", ids[2]).code == 2)
        let terminal = try TerminalRun(
            [ParleyProcess.executable, "conversations", "delete", ids[2]], environment: parley.environment)
        try await terminal.shows("Type \"delete\"")
        try terminal.type("no\r")
        #expect(await terminal.code() == 3, "\(terminal.text)")
        #expect(try await self.ids().count == 3)
        let unknown = try await parley.run("conversations", "delete", ids[2], "00000000-0000", "--yes")
        #expect(unknown.code != 0)
        #expect(try await self.ids().count == 3, "an unknown name deletes nothing")
        let deleted = try await parley.run("conversations", "delete", ids[2], "--yes", "--json")
        #expect(deleted.events.first?["messages"] as? Int == 2, "\(deleted.errors)")
        let history = try await parley.run("history", "delete", "--conversation", ids[1], "--yes")
        #expect(history.output == "2 messages deleted.\n", "\(history.errors)")
        #expect(try await self.ids() == [ids[0]])
        for file in try parley.files(below: "home/data") {
            let bytes = try Data(contentsOf: URL(filePath: parley.path("home/data/" + file)))
            for word in ["Massachusetts", "Boston", "Utah"] {
                #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is in \(file)")
            }
        }
    }

    @Test(arguments: [
        ["list", "--after", "x"], ["list", "--limit", "0"], ["show", "abc"], ["show"], ["delete"],
        ["export", "abcd", "x"],
    ])
    func `wrong arguments are refused`(_ arguments: [String]) async throws {
        #expect(try await parley.start(["conversations"] + arguments).finished().code == 2)
    }

    @Test func `an empty history is no error`() async throws {
        let empty = try await list()
        #expect(empty.conversations.isEmpty && empty.next == nil)
        #expect(try await parley.run("conversations", "show", "abcd").code != 0)
    }
}
