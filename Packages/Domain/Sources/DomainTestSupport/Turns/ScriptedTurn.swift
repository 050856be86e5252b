// SPDX-License-Identifier: MIT

public import Domain
import Synchronization
import TestKit

/// The calls on all scripted ports of one test, in order.
public final class Journal: Sendable {
    private let lines = Mutex<[String]>([])

    /// An empty journal.
    public init() {}

    /// Each entry.
    public var entries: [String] { lines.withLock { $0 } }

    /// Adds an entry.
    public func note(_ line: String) { lines.withLock { $0.append(line) } }

    /// The index of the first entry that starts with a text.
    public func position(_ prefix: String) -> Int? { entries.firstIndex { $0.hasPrefix(prefix) } }
}

/// An `Assistant` that gives one answer to every question, whole or in pieces, or fails.
public struct ScriptedAssistant: Assistant {
    /// The state that the answer is about.
    public static let texas = StateInformation(
        name: "Texas", abbreviation: "TX", capital: "Austin", bird: nil, flower: nil, largestCity: "Houston",
        admission: nil, centerLatitude: 31.5, centerLongitude: -99.3)
    /// The answer.
    public static let answer = AssistantAnswer(
        text: "The capital of Texas is Austin.", source: .states, confidence: 0.9, states: [texas])

    private let journal: Journal
    private let events: [AnswerEvent]
    private let waitsBehindEvents: Bool
    private let foresees: Bool
    private let failure: @Sendable (String) -> (any Error)?

    /// An assistant.
    ///
    /// - Parameters:
    ///   - journal: Gets "asked" with each question, and "reported all" after the events.
    ///   - events: The reports before the answer, whose text is that of the deltas among them.
    ///   - waitsBehindEvents: Waits after the events until it is cancelled.
    ///   - foresees: Foresees the answer to every question, and notes "foresees" with the question.
    ///   - failure: The error of every question, behind the events; nil for the answer.
    public init(
        journal: Journal = Journal(), events: [AnswerEvent] = [], waitsBehindEvents: Bool = false,
        foresees: Bool = false, failure: (any Error)? = nil
    ) {
        self.init(
            journal: journal, events: events, waitsBehindEvents: waitsBehindEvents, foresees: foresees
        ) { _ in failure }
    }

    /// An assistant that fails for some questions.
    public init(
        journal: Journal = Journal(), events: [AnswerEvent] = [], waitsBehindEvents: Bool = false,
        foresees: Bool = false, failure: @escaping @Sendable (String) -> (any Error)?
    ) {
        self.journal = journal
        self.events = events
        self.waitsBehindEvents = waitsBehindEvents
        self.foresees = foresees
        self.failure = failure
    }

    /// See `Assistant`.
    public func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        journal.note("asked \(question.text)")
        try Task.checkCancellation()
        for event in events { try await report(event) }
        if waitsBehindEvents {
            journal.note("reported all")
            await untilCancelled()
            throw CancellationError()
        }
        if let failure = failure(question.text) { throw failure }
        let text = events.compactMap { if case .delta(let piece) = $0 { piece } else { nil } }.joined()
        return text.isEmpty ? Self.answer : AssistantAnswer(text: text, source: .model("scripted"))
    }
}

extension ScriptedAssistant {
    /// See `Assistant`.
    public func foresee(_ question: AssistantQuestion) async -> AssistantAnswer? {
        guard foresees else { return nil }
        journal.note("foresees \(question.text)")
        return Self.answer
    }
}

/// A `ConversationRepository` in memory that notes what it stores, and fails at a given append or save.
public actor ScriptedConversationRepository: ConversationRepository {
    private let journal: Journal
    private let kept = InMemoryConversationRepository()
    private var appendsBeforeFailure: Int
    private var failures: Int
    private let beforeStoring: @Sendable () async -> Void

    /// An empty repository.
    ///
    /// - Parameters:
    ///   - journal: Gets "stored" with each message's role and text.
    ///   - appendsBeforeFailure: The count of appends and saves that succeed.
    ///   - failures: The count of those that fail then; the others succeed.
    ///   - beforeStoring: Is awaited by each of them first.
    public init(
        journal: Journal, appendsBeforeFailure: Int = .max, failures: Int = .max,
        beforeStoring: @escaping @Sendable () async -> Void = {}
    ) {
        self.journal = journal
        self.appendsBeforeFailure = appendsBeforeFailure
        self.failures = failures
        self.beforeStoring = beforeStoring
    }

    /// See `ConversationRepository`.
    public func append(_ messages: [Message], to conversation: Conversation) async throws {
        await beforeStoring()
        try countDown()
        try await kept.append(messages, to: conversation)
        for message in messages { journal.note("stored \(message.role.rawValue) \(message.text)") }
    }

    /// See `ConversationRepository`.
    public func save(_ message: Message, in conversation: Conversation) async throws {
        await beforeStoring()
        try countDown()
        try await kept.save(message, in: conversation)
        journal.note("stored \(message.role.rawValue) \(message.text)")
    }

    private func countDown() throws {
        guard appendsBeforeFailure == 0 else { return appendsBeforeFailure -= 1 }
        guard failures > 0 else { return }
        failures -= 1
        throw DomainError.storage("The disk is full; free some space.")
    }

    /// See `ConversationRepository`.
    public func conversation(_ id: Identifier<Conversation>) async throws -> Conversation? {
        await kept.conversation(id)
    }

    /// See `ConversationRepository`.
    public func messages(in id: Identifier<Conversation>) async throws -> [Message] { await kept.messages(in: id) }

    /// See `ConversationRepository`.
    public func recentMessages(limit: Int) async throws -> [Message] { await kept.recentMessages(limit: limit) }

    /// See `ConversationRepository`.
    public func search(_ words: String, limit: Int) async throws -> [Message] {
        await kept.search(words, limit: limit)
    }

    /// See `ConversationRepository`.
    public func summaries(pinned: Bool?, after: ConversationCursor?, limit: Int) async throws -> ConversationPage {
        await kept.summaries(pinned: pinned, after: after, limit: limit)
    }

    /// See `ConversationRepository`.
    public func summary(_ id: Identifier<Conversation>) async throws -> ConversationSummary? { await kept.summary(id) }

    /// See `ConversationRepository`.
    public func rename(_ id: Identifier<Conversation>, to title: String?) async throws {
        try await kept.rename(id, to: title)
    }

    /// See `ConversationRepository`.
    public func setPinned(_ isPinned: Bool, _ id: Identifier<Conversation>) async throws {
        try await kept.setPinned(isPinned, id)
    }

    /// See `ConversationRepository`.
    public func delete(_ id: Identifier<Conversation>) async throws -> Int { try await kept.delete(id) }

    /// See `ConversationRepository`.
    public func delete(_ turns: Set<TurnID>) async throws -> Int { try await kept.delete(turns) }

    /// See `ConversationRepository`.
    public func deleteAll() async throws -> Int { try await kept.deleteAll() }
}

/// A `SpeechListener` that hears one scripted question, fails, or waits until it is cancelled.
public struct ScriptedListener: SpeechListener {
    /// The script of a listener.
    public enum Script: Sendable {
        /// These words.
        case hears(String)
        /// Words after pauses behind which the question seemed to be over: it goes on when a speaker is ready for each.
        case hesitates([String], then: String)
        /// Nothing; listening throws this error.
        case fails(DomainError)
        /// Nothing, until it is cancelled.
        case waits
    }

    private let journal: Journal
    private let script: Script

    /// A listener; the journal gets "waiting" when it waits.
    public init(journal: Journal = Journal(), script: Script) {
        self.journal = journal
        self.script = script
    }

    /// See `SpeechListener`.
    public func listen(_ report: @Sendable (ListeningEvent) async -> Void) async throws -> Transcript {
        await report(.reached(.listening, at: .now))
        await report(.level(-23))
        try Task.checkCancellation()
        switch script {
        case .hesitates(let pauses, let text):
            for (index, words) in pauses.enumerated() {
                await report(.foreseen(Transcript(text: words, confidence: 0.8)))
                try await eventually { journal.entries.count { $0.hasPrefix("prepares") } > index }
            }
            await report(.reached(.transcriptReady, at: .now))
            return Transcript(text: text, confidence: 0.8)
        case .hears(let text):
            await report(.draft(text))
            await report(.reached(.transcriptReady, at: .now))
            return Transcript(text: text, confidence: 0.8)
        case .fails(let error): throw error
        case .waits:
            journal.note("waiting")
            await untilCancelled()
            throw CancellationError()
        }
    }
}

/// A `SpeechSpeaker` that notes what it speaks; it can fail, or wait until it is cancelled.
public struct ScriptedSpeaker: SpeechSpeaker {
    private let journal: Journal
    private let failure: DomainError?
    private let waits: Bool

    /// A speaker.
    ///
    /// - Parameters:
    ///   - journal: Gets "prepares", "preloads" and "speaks" with the text, and "spoke" at the end.
    ///   - failure: The error that it throws; nil to speak.
    ///   - waits: Speaks until it is cancelled.
    public init(journal: Journal = Journal(), failure: DomainError? = nil, waits: Bool = false) {
        self.journal = journal
        self.failure = failure
        self.waits = waits
    }

    /// See `SpeechSpeaker`.
    public func speak(_ text: AsyncStream<String>, _ report: @Sendable (SpeakingEvent) async -> Void) async throws {
        var spoken: String?
        for await piece in text {
            journal.note("speaks \(piece)")
            if let failure { throw failure }
            try await saying(piece.count + (spoken?.count ?? 0), report) {
                if spoken == nil {
                    await report(.reached(.firstAudioReady, at: .now))
                    await report(.reached(.firstSampleAudible, at: .now))
                }
                if waits { await untilCancelled() }
            }
            spoken = (spoken ?? "") + piece
        }
        guard let spoken else {
            await report(.heard(0))
            return try Task.checkCancellation()
        }
        try await saying(spoken.count, report) {}
        await report(.reached(.answerSpoken, at: .now))
        await report(.heard(spoken.count))
        journal.note("spoke")
    }

    /// See `SpeechSpeaker`.
    public func prepare(_ text: String) { journal.note("prepares \(text)") }

    /// See `SpeechSpeaker`.
    public func preload(_ texts: [String]) async { journal.note("preloads \(texts.joined(separator: " | "))") }

    /// Says something; when it is cancelled, half of it was heard.
    private func saying(
        _ count: Int, _ report: @Sendable (SpeakingEvent) async -> Void, _ body: () async -> Void
    ) async throws {
        if !Task.isCancelled { await body() }
        guard Task.isCancelled else { return }
        await report(.heard(count / 2))
        throw CancellationError()
    }
}
