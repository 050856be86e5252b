// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Testing

@testable import parley

@Suite struct DomainErrorTextTests {
    @Test(arguments: [
        DomainError.emptyQuery, .invalidQuery, .queryTooLong(limit: 9), .generationFailed("why"), .noSpeech,
        .notUnderstood, .speechTooLong(limit: 20), .device("why"), .file("why"), .speechEngine("why"), .storage("why"),
        .damaged("why"),
        .invalidInput("why"), .notFound("cue 7"), .signInNeeded, .offline("why"),
        .rateLimited(retryAfter: 5), .overLimit("why"), .server("why"),
        .keyRefused("why"),
    ])
    func `each message says what the error was given`(_ error: DomainError) {
        #expect(!error.message.isEmpty)
        if let detail = error.detail { #expect(error.message.contains(detail)) }
    }

    @Test(arguments: [
        (UnusableData.conversations("malformed"), "parley history repair"),
        (.practice("malformed"), "parley practice repair"), (.row("cue"), "A stored cue is damaged. Run parley doctor"),
        (.consent, "Start the program again"), (.otherVersion, "newest parley"), (.locked, "Run parley history"),
        (.lockedKeyring, "Unlock it"), (.keyMissing(folder: "/x"), "recordings in /x is not here"),
    ])
    func `unusable data comes with what helps, and a warning of it with nothing else`(
        _ data: UnusableData, _ words: String
    ) {
        let error = DomainError.unusable(data)
        #expect(error.message.contains(words) && error.sentence == ErrorReport.warning(error))
        #expect(
            ErrorReport.warning(DomainError.storage("why")).english.hasSuffix(
                "Run: parley doctor (it says what to do)."))
    }

    @Test(arguments: [
        ([SalvagedFile.Saved(.messages, count: 0, isComplete: false)], "None of its messages could be read"),
        ([.init(.messages, count: 7, isComplete: true)], "All its messages, 7, are in the new one."),
        ([.init(.messages, count: 7, isComplete: false)], "7 of its messages are in the new one; others could not"),
        (
            [.init(.results, count: 2, isComplete: true), .init(.recordings, count: 1, isComplete: true)],
            "Its 2 results and 1 recordings are in the new one."
        ),
        (
            [.init(.results, count: 2, isComplete: false), .init(.recordings, count: 1, isComplete: true)],
            "Its 2 results and 1 recordings are in the new one. Others could not be read."
        ),
    ])
    func `a salvaged file says what was saved and where the old one is`(
        _ saved: [SalvagedFile.Saved], _ words: String
    ) {
        let message = SalvagedFile(path: "/a", setAside: "/a.damaged-1", saved: saved).sentence.english
        #expect(message.contains(words) && message.contains("/a was damaged. It is kept as /a.damaged-1."))
        #expect(message.hasSuffix("Others could not be read.") == words.hasSuffix("Others could not be read."))
    }

    @Test(
        arguments: zip(
            AwaitedAnswer.allCases, ["Connecting to the server", "The server's answer", "The server's evaluation"]))
    func `each timeout says what was waited for`(_ answer: AwaitedAnswer, _ name: String) {
        #expect(DomainError.timedOut(answer).message.hasPrefix("\(name) took too long"))
    }

    @Test(arguments: UploadPermission.Reason.allCases)
    func `each refusal of uploads says what to do`(_ reason: UploadPermission.Reason) {
        #expect(DomainError.notAllowed(reason).sentence == reason.sentence && reason.sentence.english.hasSuffix("."))
    }

    @Test func `a wait is a second at least`() {
        #expect(DomainError.rateLimited(retryAfter: 0).message.contains("1 s"))
    }
}
