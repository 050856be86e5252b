// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import TestKit

/// The contract of `WaitingQuestions`.
public enum WaitingQuestionsContract {
    /// Every promise.
    public static let checks: [ContractCheck<any WaitingQuestions>] = [
        .init("without a question nothing is answered") { questions in
            try await require(questions.all().isEmpty, "questions in a new store")
            try await require(questions.answerAll { _ in .answered } == 0, "an answer without a question")
        },
        .init("questions come in their order, whole, and each once") { questions in
            let kept = (0..<5).map(question)
            for question in kept + kept { try await questions.keep(question) }
            try await require(questions.all().map(\.question) == kept, "not what was kept")
            let asked = Collected<WaitingQuestion>()
            let count = try await questions.answerAll { question in
                await asked.add(question)
                return .answered
            }
            let all = await asked.all
            try require(count == 5 && all == kept, "asked \(all.map(\.text))")
            try await require(questions.all().isEmpty, "an answered question waits")
        },
        .init("a model that is still away ends the round, and nothing is lost") { questions in
            for number in 0..<3 { try await questions.keep(question(number)) }
            let asked = Collected<String>()
            let count = try await questions.answerAll { question in
                await asked.add(question.text)
                return question.text == "question 1" ? .stillWaiting : .answered
            }
            let all = await asked.all
            try require(count == 1 && all == ["question 0", "question 1"], "asked \(all)")
            try await require(
                questions.all().map(\.question.text) == ["question 1", "question 2"], "a question is lost")
            try await require(questions.answerAll { _ in .answered } == 2, "they do not wait again")
        },
        .init("a stuck question says why, holds up no other, and is asked when it is let") { questions in
            for number in 0..<2 { try await questions.keep(question(number)) }
            let count = try await questions.answerAll { $0.text == "question 0" ? .stuck("no key") : .answered }
            let all = try await questions.all()
            try require(count == 1 && all.map(\.stage) == [.stuck("no key")], "\(count) answered, \(all.map(\.stage))")
            try await require(questions.answerAll { _ in .answered } == 0, "a stuck question was asked")
            try await questions.retryStuck()
            try await require(questions.answerAll { _ in .answered } == 1, "it does not wait again")
        },
        .init("a cancelled question is gone") { questions in
            let (first, second) = (question(0), question(1))
            for question in [first, second] { try await questions.keep(question) }
            try await questions.cancel(first.turn)
            try await requireError(code: "notFound") { try await questions.cancel(first.turn) }
            try await require(questions.all().map(\.question) == [second], "not the other one alone")
        },
        .init("many callers together ask each question once") { questions in
            for number in 0..<40 { try await questions.keep(question(number)) }
            let asked = Collected<String>()
            try await concurrently(8) { _ in
                _ = try await questions.answerAll { question in
                    await asked.add(question.text)
                    await disturbOrder(3)
                    return .answered
                }
            }
            let all = await asked.all
            try require(all.count == 40 && Set(all).count == 40, "asked \(all.count) times")
        },
        .init("while a question is asked, no other caller has it") { questions in
            try await questions.keep(question(0))
            _ = try await questions.answerAll { _ in
                let stage = try? await questions.all().first?.stage
                let others = try? await questions.answerAll { _ in .answered }
                return stage == .inProgress && others == 0 ? .answered : .stuck("another caller had it")
            }
            let rest = try await questions.all().map(\.stage)
            try require(rest.isEmpty, "\(rest)")
        },
        .init("a waiting caller learns of a question, and a cancelled one throws") { questions in
            async let waits: Void = questions.untilSomeWait()
            try await questions.keep(question(0))
            try await waits
            try await questions.untilSomeWait()
            _ = try await questions.answerAll { _ in .answered }
            try await requireCancelled { try await questions.untilSomeWait() }
        },
    ]

    @Sendable private static func question(_ number: Int) -> WaitingQuestion {
        WaitingQuestion(
            turn: TurnID(), conversation: Conversation(startedAt: Date(timeIntervalSince1970: 1_700_000_000)),
            text: "question \(number)", modality: number % 2 == 0 ? .text : .voice,
            askedAt: Date(timeIntervalSince1970: 1_700_000_100.5 + Double(number)))
    }
}

/// Waiting questions in memory, for one process.
public actor InMemoryWaitingQuestions: WaitingQuestions {
    private var entries: [(question: WaitingQuestion, stage: WaitingStage)] = []
    private var waits: [AsyncStream<Void>.Continuation] = []

    /// No questions.
    public init() {}

    /// See `WaitingQuestions`.
    public func keep(_ question: WaitingQuestion) async throws {
        if !entries.contains(where: { $0.question.turn == question.turn }) { entries.append((question, .waiting)) }
        for wait in waits { wait.finish() }
        waits = []
    }

    /// See `WaitingQuestions`.
    public func all() async throws -> [(question: WaitingQuestion, stage: WaitingStage)] { entries }

    /// See `WaitingQuestions`.
    public func cancel(_ turn: TurnID) async throws {
        guard let place = place(of: turn) else { throw DomainError.notFound("waiting question") }
        entries.remove(at: place)
    }

    /// See `WaitingQuestions`.
    public func retryStuck() async throws {
        for place in entries.indices {
            if case .stuck = entries[place].stage { entries[place].stage = .waiting }
        }
    }

    /// See `WaitingQuestions`.
    public func answerAll(
        _ answer: @escaping @Sendable (WaitingQuestion) async -> WaitingOutcome
    ) async throws -> Int {
        var count = 0
        while let next = entries.firstIndex(where: { $0.stage == .waiting }) {
            try Task.checkCancellation()
            entries[next].stage = .inProgress
            let question = entries[next].question
            let outcome = await answer(question)
            guard let place = place(of: question.turn) else { continue }
            switch outcome {
            case .answered:
                entries.remove(at: place)
                count += 1
            case .stillWaiting:
                entries[place].stage = .waiting
                return count
            case .stuck(let reason): entries[place].stage = .stuck(reason)
            }
        }
        return count
    }

    /// See `WaitingQuestions`.
    public func untilSomeWait() async throws {
        let some = entries.contains { if case .stuck = $0.stage { false } else { true } }
        if some { return }
        let (stream, wait) = AsyncStream.makeStream(of: Void.self)
        waits.append(wait)
        for await _ in stream {}
        try Task.checkCancellation()
    }

    private func place(of turn: TurnID) -> Int? { entries.firstIndex { $0.question.turn == turn } }
}
