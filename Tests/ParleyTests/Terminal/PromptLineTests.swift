// SPDX-License-Identifier: MIT

import Testing

@testable import parley

@Suite struct PromptLineTests {
    @Test(arguments: [("abc", 20, "abc"), ("0123456789", 8, "23456789"), ("0123456789", 1, "23456789")])
    func `the end of a long text is shown`(_ text: String, _ columns: Int, _ end: String) {
        #expect(PromptLine.end(of: text, in: columns) == end)
    }

    @Test func `wide characters take two columns`() {
        #expect(PromptLine.end(of: "日本語のリンク", in: 9) == "のリンク")
    }
}
