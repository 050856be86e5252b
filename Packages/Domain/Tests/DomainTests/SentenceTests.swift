// SPDX-License-Identifier: MIT

import Domain
import Testing

@Suite struct SentenceTests {
    @Test func `the pattern has a placeholder for each value`() {
        let sentence: Sentence = "\("/a") cannot be read: \(2) of {\(3)}."
        #expect(sentence.pattern == "{a} cannot be read: {b} of {{{c}}}.")
        #expect(sentence.english == "/a cannot be read: 2 of {3}.")
        #expect(sentence == "/a cannot be read: 2 of {3}.", "equality is that of the English text")
    }

    @Test func `a sentence inside another keeps its own pattern`() throws {
        let outer: Sentence = "\("Nothing waits." as Sentence) Run \("x")."
        #expect(outer.pattern == "{a} Run {b}." && outer.english == "Nothing waits. Run x.")
        guard case .sentence(let inner) = try #require(outer.values.first) else {
            Issue.record("\(outer.values)")
            return
        }
        #expect(inner.pattern == "Nothing waits.")
    }

    @Test func `two pieces have one pattern`() {
        let sentence: Sentence = "From \(1) " + "to \(2)" + "."
        #expect(sentence.pattern == "From {a} to {b}." && sentence.english == "From 1 to 2.")
    }

    @Test(arguments: [(1, "1 change waits"), (0, "0 changes wait"), (7, "7 changes wait"), (-1, "-1 change waits")])
    func `the number chooses the form`(_ count: Int, _ english: String) {
        let sentence = Sentence(one: "\(count) change waits", other: "\(count) changes wait", count: count)
        #expect(sentence.english == english)
        #expect(sentence.pattern == "{a} change waits" && sentence.plural?.pattern == "{a} changes wait")
    }

    @Test func `a text without a translation is no pattern`() {
        #expect(Sentence(verbatim: "{x} broke").verbatim == "{x} broke")
        #expect(Sentence(verbatim: "{x} broke").english == "{x} broke")
        #expect(("It broke." as Sentence).verbatim == nil)
    }

    @Test func `a package's own text is the English one`() {
        let sentence = Sentence(verbatim: "refused: {x}", elsewhere: "No connection to \("x").")
        #expect(sentence.english == "refused: {x}" && sentence.original == "refused: {x}")
        #expect(sentence.pattern == "No connection to {a}." && sentence.verbatim == nil)
        #expect(("Run: \(sentence)" as Sentence).english == "Run: refused: {x}")
    }
}
