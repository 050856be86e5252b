// SPDX-License-Identifier: MIT

import Testing

@Suite("What holds for documents")
struct DocumentTests {
    @Test func `every link leads to a file`() throws {
        try DocumentRule.brokenLinks(Repository.here().files).expectNone()
    }

    @Test func `the README is short`() throws {
        try DocumentRule.longReadme(Repository.here().files).expectNone()
    }

    @Test func `code in documents is a program or marked`() throws {
        try DocumentRule.unmarkedCode(Repository.here().files).expectNone()
    }

    @Test(arguments: [
        ("[x](other.md)", 0), ("[x](../README.md#a-heading-here)", 0), ("[x](#own)", 0), ("[x](../docs)", 0),
        ("[x](https://example.org)", 0), ("`[x](gone.md)`", 0), ("```\n[x](gone.md)\n```", 0),
        ("[x](gone.md)", 1), ("[x](../README.md#another)", 1), ("[x](#gone)", 1), ("![x](gone.svg) [x](gone)", 2),
    ])
    func `a broken link is found`(text: String, count: Int) {
        let files = [
            file("docs/page.md", "# Own\n\n" + text), file("docs/other.md", ""),
            file("README.md", "## A heading, here"),
        ]
        #expect(DocumentRule.brokenLinks(files).count == count)
    }

    @Test func `a long README is found`() {
        let words = String(repeating: "word ", count: DocumentRule.readmeWordLimit)
        #expect(DocumentRule.longReadme([file("README.md", words)]).isEmpty)
        #expect(DocumentRule.longReadme([file("README.md", words + "word")]).count == 1)
        #expect(DocumentRule.longReadme([file("docs/README.md", words + "word")]).isEmpty)
    }

    @Test(arguments: [
        ("```swift\nimport Echo\n```", 0), ("```swift fragment\nlet x = 1\n```", 0), ("```\nlet x = 1\n```", 0),
        ("```swift\nlet x = 1\n```", 1), ("```swift\n// import Echo\n```", 1),
    ])
    func `an unmarked part of a program is found`(text: String, count: Int) {
        #expect(DocumentRule.unmarkedCode([file("Packages/X/README.md", text)]).count == count)
    }

    private func file(_ path: String, _ text: String) -> RepositoryFile { RepositoryFile(path: path, text: text) }
}
