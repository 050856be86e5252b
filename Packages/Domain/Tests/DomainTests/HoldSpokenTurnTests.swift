// SPDX-License-Identifier: MIT

import DomainTestSupport
import Foundation
import TestKit
import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct HoldSpokenTurnTests {
    private let journal = Journal()
    private let ongoing = OngoingConversation(Conversation(startedAt: Date(timeIntervalSince1970: 0)))

    private func hold(
        _ script: ScriptedListener.Script, failure: DomainError? = nil, speakerFailure: DomainError? = nil,
        speakerWaits: Bool = false, appendsBeforeFailure: Int = .max, events: [AnswerEvent] = [],
        assistantWaits: Bool = false, foresees: Bool = false
    ) async throws -> AssistantAnswer {
        let journal = journal
        let turn = HoldSpokenTurn(
            listener: ScriptedListener(journal: journal, script: script),
            speaker: ScriptedSpeaker(journal: journal, failure: speakerFailure, waits: speakerWaits),
            answerQuestion: AnswerQuestion(
                assistant: ScriptedAssistant(
                    journal: journal, events: events, waitsBehindEvents: assistantWaits, foresees: foresees,
                    failure: failure),
                conversations: ScriptedConversationRepository(
                    journal: journal, appendsBeforeFailure: appendsBeforeFailure),
                wording: { "refused: \($0.code)" }, clock: ManualClock()))
        return try await turn(TurnID(), in: ongoing) { event in
            switch event {
            case .reached(let stage, _): journal.note("stage \(stage.rawValue)")
            case .level(let level): journal.note("level \(level)")
            case .draft(let words): journal.note("draft \(words)")
            case .transcript(let transcript): journal.note("shown transcript \(transcript.text)")
            case .answering(.delta(let piece)): journal.note("shown piece \(piece)")
            case .answering: break
            case .answer(let answer): journal.note("shown answer \(answer.text)")
            case .refused(let error): journal.note("shown refusal \(error.code)")
            }
        }
    }

    @Test func everythingIsStoredBeforeItIsShownAndShownBeforeItIsSpoken() async throws {
        let answer = try await hold(.hears("capital of texas"))
        #expect(answer == ScriptedAssistant.answer)
        #expect(
            journal.entries == [
                "stage listening", "level -23.0", "draft capital of texas", "stage transcriptReady",
                "stored user capital of texas",
                "shown transcript capital of texas", "asked capital of texas", "stored assistant \(answer.text)",
                "stage answerReady", "shown answer \(answer.text)", "speaks \(answer.text)", "stage firstAudioReady",
                "stage firstSampleAudible", "stage answerSpoken", "spoke",
            ])
    }

    @Test func `an answer is made ready in a pause and thrown away`() async throws {
        let answer = try await hold(
            .hesitates(["capital of", "capital of texas"], then: "capital of texas please"), foresees: true)
        #expect(
            journal.entries.prefix(6) == [
                "stage listening", "level -23.0", "foresees capital of", "prepares \(answer.text)",
                "foresees capital of texas", "prepares \(answer.text)",
            ])
        #expect(
            journal.entries.filter { $0.hasPrefix("asked") || $0.hasPrefix("stored") || $0.hasPrefix("speaks") } == [
                "stored user capital of texas please", "asked capital of texas please",
                "stored assistant \(answer.text)", "speaks \(answer.text)",
            ])
    }

    @Test func `the same words are foreseen once`() async throws {
        let journal = journal
        let foresight = Foresight(
            AnswerQuestion(
                assistant: ScriptedAssistant(journal: journal, foresees: true),
                conversations: ScriptedConversationRepository(journal: journal), wording: { $0.code }),
            ScriptedSpeaker(journal: journal))
        for words in ["capital of texas", "capital of texas", "capital of ohio"] {
            await foresight.expect(Transcript(text: words, confidence: 0.8), in: nil)
            await foresight.isReady()
        }
        let answer = ScriptedAssistant.answer.text
        #expect(
            journal.entries == [
                "foresees capital of texas", "prepares \(answer)", "foresees capital of ohio", "prepares \(answer)",
            ])
    }

    @Test func aRefusalIsStoredShownAndSpokenThenThrown() async throws {
        await #expect(throws: DomainError.invalidQuery) {
            try await hold(.hears("capital of france"), failure: .invalidQuery)
        }
        let message = "refused: invalidQuery"
        let order = [
            "stored user", "stored assistant \(message)", "shown refusal invalidQuery", "speaks \(message)", "spoke",
        ]
        let positions = try order.map { try #require(journal.position($0), "\($0)") }
        #expect(positions == positions.sorted())
        #expect(journal.position("shown answer") == nil)
    }

    @Test func silenceIsSpokenOfButNotStored() async throws {
        await #expect(throws: DomainError.noSpeech) { try await hold(.fails(.noSpeech)) }
        #expect(journal.position("stored") == nil)
        #expect(journal.position("speaks refused: noSpeech") != nil)
    }

    @Test func aBrokenDeviceIsNotSpokenOf() async throws {
        let broken = DomainError.device("The microphone is gone; plug it in.")
        await #expect(throws: broken) { try await hold(.fails(broken)) }
        #expect(journal.position("speaks") == nil)
        #expect(journal.position("shown") == nil)
    }

    @Test func withoutStorageNothingIsShown() async throws {
        await #expect(throws: DomainError.self) { try await hold(.hears("capital of texas"), appendsBeforeFailure: 0) }
        #expect(journal.position("shown") == nil)
        #expect(journal.position("asked") == nil)
    }

    @Test func anAnswerThatCannotBeStoredIsNeitherShownNorSpoken() async throws {
        await #expect(throws: DomainError.self) { try await hold(.hears("capital of texas"), appendsBeforeFailure: 1) }
        #expect(journal.position("shown transcript") != nil)
        #expect(journal.position("shown answer") == nil)
        #expect(journal.position("speaks") == nil)
    }

    @Test func aSpeakerThatFailsComesAfterTheAnswerWasStored() async throws {
        let failure = DomainError.speechEngine("The voice is missing; install flite.")
        await #expect(throws: failure) { try await hold(.hears("capital of texas"), speakerFailure: failure) }
        #expect(journal.position("stored assistant") != nil)
    }

    @Test(arguments: [true, false])
    func cancellationPassesUntouched(_ whileSpeaking: Bool) async throws {
        let task = Task {
            try await hold(whileSpeaking ? .hears("capital of texas") : .waits, speakerWaits: whileSpeaking)
        }
        try await eventually { journal.position(whileSpeaking ? "speaks" : "waiting") != nil }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect((journal.position("stored assistant") != nil) == whileSpeaking)
        #expect(journal.position("shown refusal") == nil)
        #expect(journal.position("spoke") == nil)
    }

    @Test func anAnswerThatGrowsIsSpokenWhileItDoes() async throws {
        let answer = try await hold(
            .hears("tell me"), events: [.delta("It is hot."), .delta(" It is large.")])
        #expect(answer.text == "It is hot. It is large.")
        let order = ["shown piece It is hot.", "speaks It is hot.", "speaks  It is large.", "stage answerSpoken"]
        let positions = try order.map { try #require(journal.position($0), "\($0)") }
        #expect(positions == positions.sorted())
        #expect(journal.entries.filter { $0.hasPrefix("speaks") }.count == 2, "and not again as a whole")
        #expect(journal.entries.filter { $0 == "stage answerReady" }.count == 1)
    }

    @Test func aFailureInTheMiddleIsSpokenBehindWhatThereIs() async throws {
        await #expect(throws: DomainError.offline("gone")) {
            try await hold(.hears("tell me"), failure: .offline("gone"), events: [.delta("It is hot.")])
        }
        #expect(journal.entries.filter { $0.hasPrefix("speaks") } == ["speaks It is hot.", "speaks refused: offline"])
        #expect(await ongoing.messages.map(\.text) == ["tell me", "It is hot."])
    }

    @Test(arguments: [true, false])
    func theHeardPartOfAnAnswerThatIsCutOffIsStored(_ whileItGrows: Bool) async throws {
        let task = Task {
            try await hold(
                .hears("tell me"), speakerWaits: true, events: [.delta("It is hot.")], assistantWaits: whileItGrows)
        }
        try await eventually { journal.position(whileItGrows ? "reported all" : "shown answer") != nil }
        try await eventually { journal.position("speaks") != nil }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        let messages = await ongoing.messages
        #expect(messages.map(\.text) == ["tell me", "It is hot."])
        #expect(messages.last?.state == .interrupted(heard: 5))
    }
}
