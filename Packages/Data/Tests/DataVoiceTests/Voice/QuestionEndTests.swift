// SPDX-License-Identifier: MIT

import Testing

@testable import DataVoice

@Suite("Whether a question is over")
struct QuestionEndTests {
    private let end = QuestionEnd()

    @Test(arguments: [
        "what is the capital of ohio", "what's the capital of california", "tell me about montana",
        "when did california become a state", "is ohio north of georgia", "how far is ohio from texas",
        "which state has boise as its capital", "what is the largest city in florida",
        "what is the capital of texas and the bird of ohio", "what is the state bird of utah",
        "how much time is left", "what timers do i have", "mute the sound", "what did i ask",
    ])
    func wholeQuestionsAre(_ text: String) { #expect(end.verdict(on: text) == .certain) }

    @Test(arguments: [
        "texas", "ohio's capital", "what about georgia", "what is the capital of washington",
        "what is the capital of new york", "what is the largest city in oklahoma", "stop", "what time is it",
        "set a timer for five minutes", "set an alarm for seven", "what is twelve times seven",
        "how do you spell rhythm",
    ])
    func whatOftenGoesOnMayBe(_ text: String) { #expect(end.verdict(on: text) == .likely) }

    @Test(arguments: [
        "what is the capital of", "what is the", "how far is it from", "how far is it from new york", "which state has",
        "what is the capital of new", "which is farther north minnesota", "is ohio north of", "what is the state",
        "hello there my friend", "tell me about", "when did the", "set a timer for five", "how many feet in", "",
    ])
    func beginningsAreNot(_ text: String) { #expect(end.verdict(on: text) == .unfinished) }
}
