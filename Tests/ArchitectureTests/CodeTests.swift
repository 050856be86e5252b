// SPDX-License-Identifier: MIT

import Testing

@Suite("What must not stand in a file")
struct CodeTests {
    @Test(arguments: CodeRule.table)
    func `no file breaks the rule`(_ rule: CodeRule) throws {
        try Repository.here().files.flatMap(rule.violations).expectNone()
    }

    @Test(arguments: CodeRule.table)
    func `the rule finds its sample and spares the innocent`(_ rule: CodeRule) {
        let found = rule.violations(in: rule.violation)
        #expect(found.count == 1)
        #expect(found.report.rawValue.contains(rule.reason))
        #expect(rule.covers(rule.innocent))
        rule.violations(in: rule.innocent).expectNone()
    }

    @Test(arguments: [
        ("a // b\nc", ["a", "c"]),
        ("a /* b /* c */ d */ e", ["a", "e"]),
        (#"a "b \"c" d"#, ["a", "d"]),
        (#"a "b \(c("d")) e" f"#, ["a", "f"]),
        (##"a #"b " \ c"# d"##, ["a", "d"]),
        ("a \"\"\"\n b \" c\n\"\"\" d", ["a", "d"]),
        ("a \"// b\" c // \"d", ["a", "c"]),
        ("a \"\" b", ["a", "b"]),
    ])
    func `comments and strings are blanked and lines are kept`(source: String, words: [String]) {
        let lines = SwiftCode(source).lines
        #expect(lines.count == source.split(separator: "\n", omittingEmptySubsequences: false).count)
        #expect(lines.joined(separator: " ").split(separator: " ").map(String.init) == words)
    }
}
