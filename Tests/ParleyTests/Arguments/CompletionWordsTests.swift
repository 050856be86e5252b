// SPDX-License-Identifier: MIT

import CommandLineArguments
import Testing

@testable import parley

@Suite struct CompletionWordsTests {
    private let words = CompletionWords(
        Commands.table, lists: ["states": ["New York", "Texas"], "languages": ["cmn", "de"]])

    @Test func `voices are offered for each voice option`() throws {
        for name in ["say", "talk", "listen"] {
            let option = try #require(words.valueOptions(of: name).first { $0.name == "voice" })
            #expect(Set(words.words(option.completion)) == ["slt", "rms", "awb", "kal16"], "\(name)")
        }
    }

    @Test func `states are offered to the map`() {
        #expect(words.arguments(of: "map") == ["New York", "Texas"])
    }

    @Test func `languages are offered to the option of say alone`() throws {
        for (name, expected) in [("say", ["cmn", "de"]), ("practice", [])] {
            let option = try #require(words.valueOptions(of: name).first { $0.name == "language" })
            #expect(words.words(option.completion) == expected, "\(name)")
        }
    }

    @Test func `subcommands are offered behind their group`() {
        #expect(Set(words.arguments(of: "mcp")).isSuperset(of: ["add", "list", "remove", "tools", "call"]))
    }

    @Test(arguments: ["ask", "say", "map", "history"])
    func `no files are offered where none is taken`(_ name: String) { #expect(!words.takesFiles(name)) }

    @Test(arguments: ["transcribe", "play", "search"])
    func `files are offered where they are taken`(_ name: String) { #expect(words.takesFiles(name)) }
}
