// SPDX-License-Identifier: MIT

import Domain
import Testing

@Suite struct DomainErrorTests {
    private let all: [DomainError] = [
        .emptyQuery, .invalidQuery, .queryTooLong(limit: 9), .generationFailed("why"), .noSpeech, .notUnderstood,
        .device("why"), .file("why"), .speechEngine("why"), .storage("why"), .invalidInput("why"), .notFound("cue 7"),
        .signInNeeded, .offline("why"), .timedOut("Waiting"), .rateLimited(retryAfter: 0), .overLimit("why"),
        .server("why"),
    ]

    @Test func eachHasACodeOfItsOwnAndAMessageThatSaysWhatItWasGiven() {
        #expect(Set(all.map(\.code)).count == all.count)
        for error in all {
            #expect(!error.message.isEmpty)
            #expect(!"\(error)".contains("why") || error.message.contains("why"), "\(error.code) hides its reason")
        }
        #expect(DomainError.rateLimited(retryAfter: 0).message.contains("1 s"))
        #expect(DomainError.notFound("cue 7").message.contains("cue 7"))
    }

    @Test func whatMayWorkLaterIsToldFromWhatWillNot() {
        #expect(all.filter(\.isTransient).map(\.code) == ["offline", "timedOut", "rateLimited", "server"])
        #expect(all.filter(\.isRefusal).map(\.code) == ["invalidQuery", "noSpeech", "notUnderstood"])
    }
}
