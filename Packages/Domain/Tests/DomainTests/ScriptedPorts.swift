// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Synchronization
import TestKit

/// What happened, in order, across all ports of one test.
final class Journal: Sendable {
    private let lines = Mutex<[String]>([])

    var entries: [String] { lines.withLock { $0 } }

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    /// The number of the first entry that starts so.
    func position(_ prefix: String) -> Int? { entries.firstIndex { $0.hasPrefix(prefix) } }
}

/// Knows one answer and says so; anything else is refused or fails as scripted.
struct ScriptedAnswerer: QuestionAnswerer {
    static let texas = StateInformation(
        name: "Texas", abbreviation: "TX", capital: "Austin", bird: nil, flower: nil, largestCity: "Houston",
        admission: nil, centerLatitude: 31.5, centerLongitude: -99.3)
    static let answer = StateAnswer(text: "The capital of Texas is Austin.", state: texas, confidence: 0.9)

    let journal: Journal
    var failure: (any Error)?

    func answer(_ question: String) async throws -> StateAnswer {
        journal.note("asked \(question)")
        try Task.checkCancellation()
        if let failure { throw failure }
        return Self.answer
    }

    func explain(_ question: String) -> [String] { [] }
}

/// Stores in memory, notes what it stores, and fails from a given append on.
actor ScriptedRepository: ConversationRepository {
    private let journal: Journal
    private let kept = InMemoryConversationRepository()
    private var appendsBeforeFailure: Int

    init(journal: Journal, appendsBeforeFailure: Int = .max) {
        self.journal = journal
        self.appendsBeforeFailure = appendsBeforeFailure
    }

    func append(_ messages: [Message], to conversation: Conversation) async throws {
        guard appendsBeforeFailure > 0 else { throw DomainError.storage("The disk is full; free some space.") }
        appendsBeforeFailure -= 1
        try await kept.append(messages, to: conversation)
        for message in messages { journal.note("stored \(message.role.rawValue) \(message.text)") }
    }

    func conversation(_ id: Identifier<Conversation>) async throws -> Conversation? {
        await kept.conversation(id)
    }

    func messages(in id: Identifier<Conversation>) async throws -> [Message] { await kept.messages(in: id) }

    func recentMessages(limit: Int) async throws -> [Message] { await kept.recentMessages(limit: limit) }

    func search(_ words: String, limit: Int) async throws -> [Message] { await kept.search(words, limit: limit) }
}

/// Hears one scripted question, or fails, or waits until it is cancelled.
struct ScriptedListener: SpeechListener {
    enum Script: Sendable {
        case hears(String)
        case fails(DomainError)
        case waits
    }

    let journal: Journal
    let script: Script

    func listen(_ report: @Sendable (ListeningEvent) async -> Void) async throws -> Transcript {
        await report(.reached(.listening, at: .now))
        await report(.level(-23))
        switch script {
        case .hears(let text):
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

/// Notes what it speaks; can fail, or wait until it is cancelled.
struct ScriptedSpeaker: SpeechSpeaker {
    let journal: Journal
    var failure: DomainError?
    var waits = false

    func speak(_ text: String, _ report: @Sendable (TurnStage, ContinuousClock.Instant) async -> Void) async throws {
        journal.note("speaks \(text)")
        if let failure { throw failure }
        if waits {
            await untilCancelled()
            throw CancellationError()
        }
        await report(.firstAudioReady, .now)
        await report(.answerSpoken, .now)
        journal.note("spoke")
    }
}
