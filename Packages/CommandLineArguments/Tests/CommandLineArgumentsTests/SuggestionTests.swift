// SPDX-License-Identifier: MIT

import Testing

@testable import CommandLineArguments

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("ask", "aks", 1), ("ca", "abc", 3),
    ])
    func editsAreCounted(_ left: String, _ right: String, _ expected: Int) {
        #expect(Suggestion.edits(from: left, to: right) == expected)
        #expect(Suggestion.edits(from: right, to: left) == expected)
    }

    @Test func onlyTheNearIsSuggested() {
        #expect(Suggestion(for: "tlak", among: ["ask", "talk"]).word == "talk")
        #expect(Suggestion(for: "trans", among: ["ask", "transcribe"]).word == "transcribe")
        #expect(Suggestion(for: "banana", among: ["ask", "talk"]).word == nil)
        #expect(Suggestion(for: "x", among: []).text.isEmpty)
        #expect(Suggestion(for: "9", among: ["1", "2"]).word == nil)
        #expect(Suggestion(for: "o", among: ["on", "off"]).word == "on")
    }
}
