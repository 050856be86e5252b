// SPDX-License-Identifier: MIT

import Domain
import Testing

@Suite struct DomainErrorTests {
    private let all: [DomainError] = [
        .emptyQuery, .invalidQuery, .queryTooLong(limit: 9), .generationFailed("why"), .noSpeech, .notUnderstood,
        .speechTooLong(limit: 8),
        .device("why"), .file("why"), .speechEngine("why"), .storage("why"), .invalidInput("why"), .notFound("cue 7"),
        .signInNeeded, .offline("why"), .timedOut(.answer), .rateLimited(retryAfter: 0), .overLimit("why"),
        .server("why"), .keyRefused("why"),
    ]

    @Test func `each has a code of its own and its data`() {
        #expect(Set(all.map(\.code)).count == all.count)
        for error in all where "\(error)".contains("why") { #expect(error.detail == "why", "\(error.code)") }
        #expect(DomainError.rateLimited(retryAfter: 7).detail == "7")
        #expect(DomainError.notAllowed(.declined).detail == "declined")
        #expect(DomainError.signInNeeded.detail == nil)
        #expect(DomainError.timedOut(.evaluation).detail == "evaluation")
        for (data, detail) in [(UnusableData.row("cue"), "cue"), (.locked, "locked"), (.practice("why"), "why")] {
            let error = DomainError.unusable(data)
            #expect(error.code == "storage" && error.detail == detail)
        }
    }

    @Test func whatMayWorkLaterIsToldFromWhatWillNot() {
        #expect(all.filter(\.isTransient).map(\.code) == ["offline", "timedOut", "rateLimited", "server"])
        #expect(all.filter(\.isRefusal).map(\.code) == ["invalidQuery", "noSpeech", "notUnderstood", "speechTooLong"])
    }
}
