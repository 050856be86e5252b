// SPDX-License-Identifier: MIT

import Domain
import Testing

@testable import parley

@Suite struct DomainErrorTextTests {
    @Test(arguments: [
        DomainError.emptyQuery, .invalidQuery, .queryTooLong(limit: 9), .generationFailed("why"), .noSpeech,
        .notUnderstood, .device("why"), .file("why"), .speechEngine("why"), .storage("why"), .damaged("why"),
        .invalidInput("why"), .notFound("cue 7"), .signInNeeded, .offline("why"), .timedOut("Waiting"),
        .rateLimited(retryAfter: 5), .overLimit("why"), .server("why"),
    ])
    func `each message says what the error was given`(_ error: DomainError) {
        #expect(!error.message.isEmpty)
        if let detail = error.detail { #expect(error.message.contains(detail)) }
    }

    @Test(arguments: UploadPermission.Reason.allCases)
    func `each refusal of uploads says what to do`(_ reason: UploadPermission.Reason) {
        #expect(DomainError.notAllowed(reason).message == reason.message && reason.message.hasSuffix("."))
    }

    @Test func `a wait is a second at least`() {
        #expect(DomainError.rateLimited(retryAfter: 0).message.contains("1 s"))
    }
}
