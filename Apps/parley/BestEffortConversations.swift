// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// A history that warns when it cannot be stored, and never costs the answer.
///
/// Each call tries to store anew, so a disk that has room again takes the next question. Reading throws as always.
actor BestEffortConversations: ConversationRepository, TurnStatistics {
    private let open: @Sendable () async throws -> any ConversationRepository & TurnStatistics
    private let sentences: SentenceTally
    private let trace: (@Sendable (TurnMeasurement, Date) -> Void)?
    private let warn: @Sendable (Sentence) -> Void
    private var opened: (any ConversationRepository & TurnStatistics)?
    private var lastWarning: Sentence?
    private var hasWarnedOfStatistics = false
    /// The last turn that was noted, with its sentences.
    private var noted: (turn: TurnID, asked: Int, cached: Int)?

    /// - Parameters:
    ///   - open: Called by the first use, and again until it succeeds.
    ///   - sentences: The look-ups of the turns' sentences.
    ///   - trace: Called with each measurement and the time of its end.
    ///   - warn: Called when storing fails, once for each reason.
    init(
        open: @escaping @Sendable () async throws -> any ConversationRepository & TurnStatistics,
        sentences: SentenceTally, trace: (@Sendable (TurnMeasurement, Date) -> Void)? = nil,
        warn: @escaping @Sendable (Sentence) -> Void
    ) {
        self.open = open
        self.sentences = sentences
        self.trace = trace
        self.warn = warn
    }

    /// See ``ConversationRepository``; throws only `CancellationError`.
    func append(_ messages: [Message], to conversation: Conversation) async throws {
        try await warning { try await $0.append(messages, to: conversation) }
    }

    /// See ``ConversationRepository``; throws only `CancellationError`.
    func save(_ message: Message, in conversation: Conversation) async throws {
        try await warning { try await $0.save(message, in: conversation) }
    }

    private func warning(_ store: (any ConversationRepository) async throws -> Void) async throws {
        do {
            try await store(try await repository())
            lastWarning = nil
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            let warning: Sentence = "This is not kept in the history. \(ErrorReport.warning(error))"
            if warning != lastWarning { warn(warning) }
            lastWarning = warning
        }
    }

    /// See ``TurnStatistics``; throws only `CancellationError`. It warns once, and not of what kept the turn out of the
    /// history, too.
    func note(_ measurement: TurnMeasurement, at now: Date) async throws {
        defer { trace?(measurement, now) }
        do {
            try await repository().note(withSentences(measurement), at: now)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            guard lastWarning == nil, !hasWarnedOfStatistics else { return }
            hasWarnedOfStatistics = true
            warn("This question is not counted in parley stats. \(ErrorReport.warning(error))")
        }
    }

    private func withSentences(_ measurement: TurnMeasurement) -> TurnMeasurement {
        let (taken, earlier) = (sentences.take(), noted?.turn == measurement.turn ? noted : nil)
        var measurement = measurement
        measurement.sentences += taken.asked + (earlier?.asked ?? 0)
        measurement.cachedSentences += taken.cached + (earlier?.cached ?? 0)
        noted = (measurement.turn, measurement.sentences, measurement.cachedSentences)
        return measurement
    }

    /// See ``TurnStatistics``.
    func turns(in range: Range<Date>) async throws -> [CountedTurn] { try await repository().turns(in: range) }

    /// See ``ConversationRepository``.
    func conversation(_ id: Identifier<Conversation>) async throws -> Conversation? {
        try await repository().conversation(id)
    }

    /// See ``ConversationRepository``.
    func messages(in id: Identifier<Conversation>) async throws -> [Message] {
        try await repository().messages(in: id)
    }

    /// See ``ConversationRepository``.
    func recentMessages(limit: Int) async throws -> [Message] { try await repository().recentMessages(limit: limit) }

    /// See ``ConversationRepository``.
    func search(_ words: String, limit: Int) async throws -> [Message] {
        try await repository().search(words, limit: limit)
    }

    /// See ``ConversationRepository``.
    func summaries(pinned: Bool?, after: ConversationCursor?, limit: Int) async throws -> ConversationPage {
        try await repository().summaries(pinned: pinned, after: after, limit: limit)
    }

    /// See ``ConversationRepository``.
    func summary(_ id: Identifier<Conversation>) async throws -> ConversationSummary? {
        try await repository().summary(id)
    }

    /// See ``ConversationRepository``.
    func rename(_ id: Identifier<Conversation>, to title: String?) async throws {
        try await repository().rename(id, to: title)
    }

    /// See ``ConversationRepository``.
    func setPinned(_ isPinned: Bool, _ id: Identifier<Conversation>) async throws {
        try await repository().setPinned(isPinned, id)
    }

    /// See ``ConversationRepository``.
    func delete(_ id: Identifier<Conversation>) async throws -> Int { try await repository().delete(id) }

    /// See ``ConversationRepository``.
    func delete(_ turns: Set<TurnID>) async throws -> Int { try await repository().delete(turns) }

    /// See ``ConversationRepository``.
    func deleteAll() async throws -> Int { try await repository().deleteAll() }

    private func repository() async throws -> any ConversationRepository & TurnStatistics {
        if let opened { return opened }
        let repository = try await open()
        opened = repository
        return repository
    }
}

/// A speaker that only warns when its device fails, since its text is on the screen.
struct WarningSpeaker: SpeechSpeaker {
    let speaker: any SpeechSpeaker
    /// Called with the problem and its remedy.
    let warn: @Sendable (Sentence) -> Void

    /// See `SpeechSpeaker`.
    func prepare(_ text: String) { speaker.prepare(text) }

    /// See `SpeechSpeaker`.
    func preload(_ texts: [String]) async { await speaker.preload(texts) }

    /// See `SpeechSpeaker`; throws no ``DomainError/device(_:)``.
    func speak(_ text: AsyncStream<String>, _ report: @Sendable (SpeakingEvent) async -> Void) async throws {
        do {
            try await speaker.speak(text, report)
        } catch DomainError.device(let reason) {
            warn("This is not spoken. \(reason) Run: parley audio doctor (it says what to do).")
        }
    }
}
