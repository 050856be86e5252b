// SPDX-License-Identifier: MIT

import Testing

@testable import DataVoice

/// The moments at which the words of a question are guessed while a person still speaks.
@Suite struct LiveWordsTests {
    /// The seconds at which words are guessed during a minute of sound in pieces of 20 ms.
    private func guesses(isOn: Bool) -> [Double] {
        var words = LiveWords(isOn: isOn)
        return (1...3_000).filter { _ in words.isDue(after: 320) }.map { Double($0) / 50 }
    }

    @Test func `guesses of a long question are further apart, and together cost a few times the last one`() {
        let guesses = guesses(isOn: true)
        #expect(guesses.prefix(4) == [0.5, 1, 1.5, 2])
        #expect(zip(guesses, guesses.dropFirst()).allSatisfy { $1 - $0 >= 0.5 })
        #expect(guesses.reduce(0, +) < 5 * 60)
        #expect(self.guesses(isOn: false).isEmpty)
    }

    @Test func `the same words are shown once, and again in the next question`() {
        var words = LiveWords(isOn: true)
        #expect(words.show("capital") == "capital")
        #expect(words.show("capital") == nil)
        #expect(words.show("capital of") == "capital of")
        words.begin()
        #expect(words.show("capital of") == "capital of")
        var off = LiveWords(isOn: false)
        #expect(off.show("capital") == nil)
    }
}
