// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import FoundationEssentials
import TestKit
import Testing

@Suite("An assistant that listens all day", .timeLimit(.minutes(5)))
struct ListenAllDayTests {
    private let journal = Journal()
    private let listener: ScriptedRoomListener
    private let clock = ScriptedClock()
    private let reports = RoomReports()
    private let question = Transcript(text: "what is the capital of texas", confidence: 0.9)

    init() { listener = ScriptedRoomListener(journal: journal) }

    private func assistant(
        answers: (any Error)? = nil, hearing: (any RoomListener)? = nil, speaker: (any SpeechSpeaker)? = nil,
        earcons: DomainError? = nil, repository: (any ConversationRepository)? = nil, events: [AnswerEvent] = [],
        assistantWaits: Bool = false, foresees: Bool = false, preload: PreloadAnswers? = nil,
        controls: AsyncStream<RoomControl>? = nil
    ) -> ListenAllDay {
        ListenAllDay(
            listener: hearing ?? listener, speaker: speaker ?? ScriptedSpeaker(journal: journal),
            earcons: ScriptedEarconPlayer(journal: journal, failure: earcons),
            answerQuestion: AnswerQuestion(
                assistant: ScriptedAssistant(
                    journal: journal, events: events, waitsBehindEvents: assistantWaits, foresees: foresees,
                    failure: answers),
                conversations: repository ?? ScriptedConversationRepository(journal: journal), device: "desk",
                wording: { "refused: \($0.code)" }, clock: ManualClock()),
            preload: preload, controls: controls, clock: clock)
    }

    /// Runs `assistant` beside `script`; the sound ends after it.
    private func run(_ assistant: ListenAllDay, _ script: () async -> Void) async throws {
        let reports = reports
        async let done: Void = assistant { reports.add($0) }
        await script()
        listener.play(.end)
        try await done
    }

    /// Asks, and speaks into the answer.
    private func speakInto(_ assistant: ListenAllDay) async throws {
        try await run(assistant) {
            listener.play(.wakeWord, at: 1)
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
            try? await eventually { journal.position("speaks") != nil }
            listener.play(.speechBegan, at: 5)
            await reports.next { if case .interrupted = $0 { true } else { false } }
            listener.play(.notUnderstood, at: 6)
        }
    }

    @Test func aTurnGoesFromTheWakeWordToTheFollowUp() async throws {
        try await run(assistant()) {
            listener.play(.wakeWord, at: 1)
            listener.play(.level(-40), at: 1.4)
            listener.play(.speechBegan, at: 2)
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
            await reports.next(.listening)
            listener.play(.level(-60), at: 60)
            await reports.next(.idle)
        }
        #expect(
            journal.entries.filter { $0 != "tone listening" } == [
                "hears", "opens", "closes", "stored user what is the capital of texas",
                "asked what is the capital of texas", "stored assistant The capital of Texas is Austin.",
                "speaks The capital of Texas is Austin.", "spoke", "opens", "closes",
            ])
        #expect(journal.entries.contains("tone listening"))
        let phases = reports.events.compactMap { if case .phase(let phase) = $0 { phase } else { nil } }
        #expect(phases == [.idle, .listening, .thinking, .speaking, .listening, .idle])
        let turns = reports.events.compactMap { if case .turn(let turn, _) = $0 { turn } else { nil } }
        #expect(Set(turns).count == 1, "one name for the whole turn")
    }

    @Test func `what is foreseen in a pause has no effect`() async throws {
        try await run(assistant(foresees: true)) {
            listener.play(.wakeWord, at: 1)
            listener.play(.foreseen(Transcript(text: "what is the capital", confidence: 0.9)), at: 3)
            try? await eventually { journal.position("prepares") != nil }
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
            await reports.next(.listening)
            listener.play(.level(-60), at: 60)
            await reports.next(.idle)
        }
        #expect(journal.position("foresees what is the capital") != nil)
        #expect(journal.entries.filter { $0.hasPrefix("asked") } == ["asked what is the capital of texas"])
        #expect(
            journal.entries.filter { $0.hasPrefix("stored") } == [
                "stored user what is the capital of texas", "stored assistant The capital of Texas is Austin.",
            ])
    }

    @Test func `it prepares for questions while it waits for the wake word, and only then`() async throws {
        let (journal, waits) = (journal, ManualClock())
        let asked = Message(
            conversation: .init(), turn: TurnID(), role: .user, modality: .voice, text: question.text,
            createdAt: Date(timeIntervalSinceNow: -60))
        let preload = PreloadAnswers(
            history: { [asked] },
            answerQuestion: AnswerQuestion(
                assistant: ScriptedAssistant(journal: journal, foresees: true),
                conversations: InMemoryConversationRepository(), wording: \.code, clock: ManualClock()),
            speaker: ScriptedSpeaker(journal: journal), battery: { nil }, secondsFromGMT: { _ in 0 }, clock: waits)
        try await run(assistant(preload: preload)) {
            await waits.waitForSleeper(of: PreloadAnswers.quiet)
            listener.play(.wakeWord, at: 1)
            await reports.next(.listening)
            try? await eventually { waits.remaining.isEmpty }
            waits.advance(by: .seconds(60))
            #expect(journal.position("preloads") == nil)
            listener.play(.level(-60), at: 60)
            await reports.next(.idle)
            await waits.waitForSleeper(of: PreloadAnswers.quiet)
            waits.advance(by: PreloadAnswers.quiet)
            await waits.waitForSleeper(of: PreloadAnswers.interval)
            #expect(journal.position("preloads \(ScriptedAssistant.answer.text)") != nil)
        }
        try await eventually { waits.remaining.isEmpty }
    }

    @Test func `speech without a pause is turned down, and what is left of it is no question`() async throws {
        try await run(assistant()) {
            listener.play(.wakeWord, at: 1)
            listener.play(.speechBegan, at: 2)
            listener.play(.speechTooLong(limit: 20), at: 22)
            await reports.next(.idle)
            try? await eventually { journal.position("tone notUnderstood") != nil }
            listener.play(.question(question), at: 25)
        }
        let refusals = reports.events.compactMap { event -> DomainError? in
            if case .turn(_, .refused(let error)) = event { error } else { nil }
        }
        #expect(refusals == [.speechTooLong(limit: 20)])
        #expect(journal.entries.contains("tone notUnderstood") && journal.position("closes") != nil)
        #expect(journal.position("asked") == nil)
    }

    @Test func whoSpeaksIntoTheAnswerCutsItOffAndIsHeard() async throws {
        let speaker = ScriptedSpeaker(journal: journal, waits: true)
        try await run(assistant(speaker: speaker)) {
            listener.play(.wakeWord, at: 1)
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
            listener.play(.speechBegan, at: 5)
            await reports.next { if case .interrupted = $0 { true } else { false } }
            listener.play(.question(Transcript(text: "which bird has utah", confidence: 0.9)), at: 7)
            await reports.next(.speaking)
            listener.play(.wakeWord, at: 9)
            await reports.next(.listening)
        }
        #expect(!journal.entries.contains("spoke"))
        #expect(journal.entries.filter { $0 == "opens" }.count == 3)
        #expect(journal.position("asked which bird has utah") != nil)
    }

    @Test func `a button stops the answer, and calls without the wake word`() async throws {
        let (controls, press) = AsyncStream<RoomControl>.makeStream()
        let speaker = ScriptedSpeaker(journal: journal, waits: true)
        try await run(assistant(speaker: speaker, controls: controls)) {
            press.yield(.wake)
            await reports.next(.listening)
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
            press.yield(.interrupt)
            await reports.next { if case .interrupted = $0 { true } else { false } }
            press.yield(.wake)
            await reports.next(.listening)
            press.yield(.interrupt)
            await reports.next(.idle)
        }
        #expect(!journal.entries.contains("spoke"))
    }

    @Test func `who is muted is not heard, and the microphone is closed`() async throws {
        let (controls, press) = AsyncStream<RoomControl>.makeStream()
        try await run(assistant(controls: controls)) {
            listener.play(.wakeWord, at: 1)
            await reports.next(.listening)
            press.yield(.mute)
            await reports.next { if case .muted(true) = $0 { true } else { false } }
            await reports.next(.idle)
            press.yield(.mute)
            press.yield(.wake)
            await reports.next { if case .muted(false) = $0 { true } else { false } }
            listener.play(.wakeWord, at: 2)
            await reports.next(.listening)
        }
        #expect(journal.entries.filter { $0 == "hears" }.count == 2)
    }

    /// Speaks when a test says so.
    private struct HeldSpeaker: SpeechSpeaker {
        let speaker: ScriptedSpeaker
        let gate: AsyncStream<Void>

        func speak(_ text: AsyncStream<String>, _ report: @Sendable (SpeakingEvent) async -> Void) async throws {
            for await _ in gate { break }
            try await speaker.speak(text, report)
        }

        func prepare(_ text: String) { speaker.prepare(text) }

        func preload(_ texts: [String]) async { await speaker.preload(texts) }
    }

    private func muted(_ wanted: Bool) async {
        await reports.next { if case .muted(wanted) = $0 { true } else { false } }
    }

    @Test func `who is muted while the answer is spoken has to call again`() async throws {
        let (controls, press) = AsyncStream<RoomControl>.makeStream()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let speaker = HeldSpeaker(speaker: ScriptedSpeaker(journal: journal), gate: gate)
        try await run(assistant(speaker: speaker, controls: controls)) {
            listener.play(.wakeWord, at: 1)
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
            press.yield(.mute)
            await muted(true)
            opener.yield()
            await reports.next(.idle)
            press.yield(.unmute)
            await muted(false)
            listener.play(.wakeWord, at: 1)
            await reports.next(.listening)
        }
        #expect(journal.entries.filter { $0 == "opens" }.count == 2, "none for a question after the answer")
    }

    /// Hears what the other hears. A run that is cancelled ends when a test says so.
    private struct LingeringListener: RoomListener {
        let listener: ScriptedRoomListener
        let gate: AsyncStream<Void>
        let throwsCancellation: Bool

        func listen(_ report: @escaping @Sendable (ListenerReport) async -> Void) async throws {
            do { try await listener.listen(report) } catch is CancellationError {
                // In a task of its own, which is not cancelled.
                await Task { [gate] in for await _ in gate { break } }.value
                if throwsCancellation { throw CancellationError() }
            }
        }

        func open() async { await listener.open() }

        func close() async { await listener.close() }
    }

    @Test(arguments: [true, false])
    func `who unmutes before the microphone is closed is heard again`(throwsCancellation: Bool) async throws {
        let (controls, press) = AsyncStream<RoomControl>.makeStream()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let hearing = LingeringListener(listener: listener, gate: gate, throwsCancellation: throwsCancellation)
        try await run(assistant(hearing: hearing, controls: controls)) {
            listener.play(.wakeWord, at: 1)
            await reports.next(.listening)
            press.yield(.mute)
            await muted(true)
            press.yield(.unmute)
            await muted(false)
            opener.yield()
            await reports.next(.idle)
            listener.play(.wakeWord, at: 1)
            await reports.next(.listening)
        }
        #expect(journal.entries.filter { $0 == "hears" }.count == 2)
    }

    @Test func `a call by a button is heard by a microphone that opens only then`() async throws {
        let (controls, press) = AsyncStream<RoomControl>.makeStream()
        try await run(assistant(controls: controls)) {
            press.yield(.mute)
            await muted(true)
            press.yield(.wake)
            press.yield(.wake)
            await reports.next(.listening)
            listener.play(.level(-60), at: 0)
            try? await eventually { journal.position("opens") != nil }
            listener.play(.words("what is the capital of texas"))
            await reports.next(.speaking)
            await reports.next(.listening)
        }
        #expect(journal.position("asked what is the capital of texas") != nil)
    }

    @Test func aCallBeginsAConversationAndFollowUpsBelongToIt() async throws {
        let kept = InMemoryConversationRepository()
        try await run(assistant(repository: kept)) {
            for (call, start) in [0.0, 100].enumerated() {
                listener.play(.wakeWord, at: start + 1)
                listener.play(.question(question), at: start + 4)
                await reports.next(.speaking)
                await reports.next(.listening)
                listener.play(.question(question), at: start + 8)
                await reports.next(.speaking)
                await reports.next(.listening)
                if call == 0 {
                    listener.play(.level(-60), at: 60)
                    await reports.next(.idle)
                }
            }
        }
        let messages = await kept.recentMessages(limit: 100)
        let sizes = Dictionary(grouping: messages, by: \.conversation).values.map(\.count)
        #expect(sizes == [4, 4])
    }

    @Test func aRefusalIsSpoken() async throws {
        try await run(assistant(answers: DomainError.invalidQuery)) {
            listener.play(.wakeWord, at: 1)
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
            await reports.next(.listening)
        }
        #expect(journal.entries.contains("speaks refused: invalidQuery"))
    }

    @Test func `a refusal that is cut off is no answer`() async throws {
        let kept = InMemoryConversationRepository()
        let speaker = ScriptedSpeaker(journal: journal, waits: true)
        try await speakInto(assistant(answers: DomainError.invalidQuery, speaker: speaker, repository: kept))
        let messages = await kept.recentMessages(limit: 9)
        #expect(messages.map(\.text) == [question.text, "refused: invalidQuery"])
        #expect(messages.last?.state == .whole && messages.last?.isAnswer == false)
    }

    @Test func aFailedEarIsTriedAgainEverLaterAndThenWorks() async throws {
        let gone = DomainError.device("The microphone is gone.")
        try await run(assistant()) {
            for _ in 0..<8 { listener.play(.failure(gone)) }
            listener.play(.wakeWord, at: 1)
            listener.play(.failure(gone))
            await reports.next { if case .recovered(.listener) = $0 { true } else { false } }
            await reports.next(.idle)
            listener.play(.wakeWord, at: 0.5)
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
        }
        let waits: [Duration] = [0.5, 1, 2, 4, 8, 16, 30, 30].map { .seconds($0) }
        #expect(Array(clock.waits.prefix(waits.count)) == waits)
        #expect(clock.waits.last == .milliseconds(500), "after it has worked, the waits begin anew")
        #expect(journal.entries.contains("spoke"))
    }

    @Test func aFailureOfOnePartLeavesTheOthersAlone() async throws {
        let failure = DomainError.device("The loudspeaker is gone.")
        let repository = ScriptedConversationRepository(journal: journal, appendsBeforeFailure: 2)
        let assistant = assistant(
            speaker: ScriptedSpeaker(journal: journal, failure: failure), earcons: failure, repository: repository)
        try await run(assistant) {
            listener.play(.wakeWord, at: 1)
            listener.play(.question(question), at: 4)
            await reports.next { if case .failed(.voice, failure, nil) = $0 { true } else { false } }
            await reports.next(.listening)
            listener.play(.question(question), at: 8)
            await reports.next { if case .failed(.answers, .storage, nil) = $0 { true } else { false } }
            await reports.next(.idle)
            listener.play(.wakeWord, at: 20)
            await reports.next(.listening)
        }
        #expect(journal.entries.filter { $0.hasPrefix("speaks") }.count == 1, "what could not be kept is not said")
    }

    @Test func cancellationEndsTheSpeechAndTheRun() async throws {
        let assistant = assistant(speaker: ScriptedSpeaker(journal: journal, waits: true))
        let reports = reports
        let task = Task { try await assistant { reports.add($0) } }
        listener.play(.wakeWord, at: 1)
        listener.play(.question(question), at: 4)
        await reports.next(.speaking)
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(!journal.entries.contains("spoke"))
    }

    @Test func whenTheSoundIsOverTheLastAnswerIsStillSaid() async throws {
        let reports = reports
        listener.play(.wakeWord, at: 1)
        listener.play(.question(question), at: 4)
        listener.play(.end)
        try await assistant()(report: { reports.add($0) })
        #expect(journal.entries.contains("spoke"))
    }

    @Test func anAnswerIsSpokenFromItsFirstPieceOn() async throws {
        try await run(assistant(events: [.delta("It is hot."), .delta(" It is large.")])) {
            listener.play(.wakeWord, at: 1)
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
            await reports.next(.listening)
        }
        #expect(journal.entries.filter { $0.hasPrefix("speaks") } == ["speaks It is hot.", "speaks  It is large."])
        #expect(journal.position("spoke") != nil)
    }

    @Test func whoSpeaksIntoAnAnswerThatGrowsEndsItAndTheHeardPartIsStored() async throws {
        let kept = InMemoryConversationRepository()
        let assistant = assistant(
            speaker: ScriptedSpeaker(journal: journal, waits: true), repository: kept, events: [.delta("It is hot.")],
            assistantWaits: true)
        try await speakInto(assistant)
        let messages = await kept.recentMessages(limit: 9)
        #expect(messages.map(\.text) == [question.text, "It is hot."])
        #expect(messages.last?.state == .interrupted(heard: 5))
    }

    @Test func aModelThatCannotBeReachedIsSpokenOf() async throws {
        try await run(assistant(answers: DomainError.offline("gone"))) {
            listener.play(.wakeWord, at: 1)
            listener.play(.question(question), at: 4)
            await reports.next(.speaking)
            await reports.next(.listening)
        }
        #expect(journal.entries.contains("speaks refused: offline"))
    }
}
