// SPDX-License-Identifier: MIT

public import Diagnostics
public import Domain
import FoundationEssentials
public import Persistence

/// The questions that wait for a model, as an outbox in the file of the conversations. Whoever deletes a conversation or a
/// turn gives its questions up.
public struct SQLiteWaitingQuestions: WaitingQuestions {
    private static let lane = "questions"

    private let database: Database
    private let outbox: Outbox

    /// The questions in the file of a repository.
    ///
    /// - Parameters:
    ///   - clock: The source of the time of leases.
    ///   - logger: Logs questions that are given up.
    public init(
        _ repository: SQLiteConversationRepository, clock: OutboxClock = .system, logger: Logger = .disabled
    ) {
        database = repository.database
        // A short lease soon returns the question of a killed process.
        outbox = Outbox(
            database: database,
            configuration: .init(lease: .seconds(15), maximumAttempts: 20, poisonBlocksItsKey: false), clock: clock,
            logger: logger)
    }

    /// See `WaitingQuestions`.
    public func keep(_ question: WaitingQuestion) async throws {
        try await domainErrors {
            let message = try OutboxMessage(
                encoding: Record(question), idempotencyKey: question.turn.description,
                orderingKey: question.conversation.id.description, lane: Self.lane)
            // The turn of a question that was answered may be asked again.
            try await database.write(durability: .full) { connection in
                try connection.execute(
                    "DELETE FROM outbox_done WHERE idempotency_key = \(question.turn.description)")
                _ = try outbox.enqueue(message, on: connection)
            }
        }
    }

    /// See `WaitingQuestions`. Questions of a newer program are left out.
    public func all() async throws -> [(question: WaitingQuestion, stage: WaitingStage)] {
        try await domainErrors {
            try await outbox.entries(lane: Self.lane).compactMap { entry in
                guard let question = WaitingQuestion(entry.item) else { return nil }
                return switch entry.stage {
                case .poisoned: (question, .stuck(entry.reason ?? ""))
                case .leased: (question, .inProgress)
                case .pending, .done: (question, .waiting)
                }
            }
        }
    }

    /// See `WaitingQuestions`.
    public func cancel(_ turn: TurnID) async throws {
        let count = try await domainErrors {
            try await database.write(durability: .full) { try Self.remove(turn, on: $0) }
        }
        if count == 0 { throw DomainError.notFound("waiting question") }
    }

    /// See `WaitingQuestions`.
    public func retryStuck() async throws {
        try await domainErrors {
            for entry in try await outbox.entries(lane: Self.lane, stage: .poisoned) {
                try await outbox.retry(entry.item.id)
            }
        }
    }

    /// See `WaitingQuestions`.
    public func answerAll(
        _ answer: @escaping @Sendable (WaitingQuestion) async -> WaitingOutcome
    ) async throws -> Int {
        try await domainErrors {
            try await outbox.drain(lanes: [Self.lane]) { item in
                guard let question = WaitingQuestion(item) else {
                    return .poison(reason: "A newer version of the program kept it.")
                }
                return switch await answer(question) {
                case .answered: .done
                case .stillWaiting: .release
                case .stuck(let reason): .poison(reason: reason)
                }
            }
        }
    }

    /// See `WaitingQuestions`.
    public func untilSomeWait() async throws {
        try await domainErrors { try await outbox.untilPending(lanes: [Self.lane]) }
    }

    // MARK: Deleted conversations

    /// Gives up the questions of a conversation.
    static func remove(in conversation: Identifier<Conversation>, on connection: WritableConnection) throws {
        try connection.execute(
            "DELETE FROM outbox_item WHERE lane = \(lane) AND ordering_key = \(conversation.description)")
    }

    /// Gives up the question of a turn; returns the number of questions.
    @discardableResult
    static func remove(_ turn: TurnID, on connection: WritableConnection) throws -> Int {
        try connection.execute(
            "DELETE FROM outbox_item WHERE lane = \(lane) AND idempotency_key = \(turn.description)")
        return connection.changes
    }

    /// Gives up all questions.
    static func removeAll(on connection: WritableConnection) throws {
        try connection.execute("DELETE FROM outbox_item WHERE lane = \(lane)")
    }
}

/// The stored form of a question.
private struct Record: Codable {
    let turn, conversation, modality, text: String
    let startedAt, askedAt: Double

    init(_ question: WaitingQuestion) {
        (turn, conversation) = (question.turn.description, question.conversation.id.description)
        (modality, text) = (question.modality.rawValue, question.text)
        startedAt = question.conversation.startedAt.timeIntervalSince1970
        askedAt = question.askedAt.timeIntervalSince1970
    }
}

extension WaitingQuestion {
    /// The question of an item; nil for one that a newer program wrote.
    fileprivate init?(_ item: OutboxItem) {
        guard let record = try? item.decode(Record.self), let turn = TurnID(record.turn),
            let conversation = Identifier<Conversation>(record.conversation),
            let modality = Message.Modality(rawValue: record.modality)
        else { return nil }
        self.init(
            turn: turn,
            conversation: Conversation(
                id: conversation, startedAt: Date(timeIntervalSince1970: record.startedAt)),
            text: record.text, modality: modality, askedAt: Date(timeIntervalSince1970: record.askedAt))
    }
}
