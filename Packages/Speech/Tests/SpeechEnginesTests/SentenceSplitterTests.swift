// SPDX-License-Identifier: MIT

import SpeechEngines
import Testing

@Suite struct SentenceSplitterTests {
    @Test(arguments: [
        ("The capital of Texas is Austin.", ["The capital of Texas is Austin."]),
        ("St. Paul is in Minnesota. It is big.", ["St. Paul is in Minnesota.", "It is big."]),
        ("Washington, D.C. is a city. D.C. is small.", ["Washington, D.C. is a city.", "D.C. is small."]),
        ("It is 3.5 miles. Or 1,000.25?", ["It is 3.5 miles.", "Or 1,000.25?"]),
        ("J. Adams lived here! Yes.", ["J. Adams lived here!", "Yes."]),
        ("What?! \"Well.\" So it is…", ["What?!", "\"Well.\"", "So it is…"]),
        ("one line\nanother line", ["one line", "another line"]),
        ("", []), (" . ! ", []), ("no stop", ["no stop"]),
        (
            "In the U.S. there are 50 states. In the U.S. They are many.",
            ["In the U.S. there are 50 states.", "In the U.S.", "They are many."]
        ),
    ])
    func splits(_ text: String, _ expected: [String]) {
        #expect(SentenceSplitter.sentences(of: text) == expected)
    }

    @Test func losesNothing() {
        let text = "Mt. Hood is high (11,249 ft.). Is it? It is 2.5 mi. Away! Mr. B. knows."
        let joined = SentenceSplitter.sentences(of: text).joined(separator: " ")
        #expect(joined == text)
    }

    /// Each would take minutes if a part of the text were gone through again for each of its characters.
    @Test(arguments: [
        (String(repeating: "a", count: 300_000), 300_000), (String(repeating: ".", count: 300_000) + "a", 1),
        (String(repeating: "at 5 a.m. and ", count: 20_000), 160_000),
    ])
    func `a text without an end is cut`(_ text: String, _ letters: Int) {
        let sentences = SentenceSplitter.sentences(of: text)
        #expect(sentences.allSatisfy { $0.count <= SentenceBuffer.limit })
        #expect(sentences.joined().count { $0.isLetter || $0.isNumber } == letters)
    }
}
