// SPDX-License-Identifier: MIT

import Concurrency
import DataAssistant
import DataLayer
import DesktopNotifications
import Diagnostics
import Domain
import FoundationEssentials

extension CompositionRoot {
    /// Keeps a question that the model cannot answer now. Nobody is asked for the passphrase of the app lock here.
    ///
    /// - Throws: `DomainError.unusable(.locked)` while the lock is closed; `DomainError.storage`.
    func keepForLater(_ question: WaitingQuestion) async throws {
        let data = sealedData
        guard try await !data.isLocked() else { throw DomainError.unusable(.locked) }
        try paths.makeDataFolder()
        try await withWaitingQuestions(of: try await data.conversations(damage: .refuse)) { questions in
            try await questions.keep(question)
        }
    }

    /// Calls `body` with the questions in a store, which is closed behind it.
    func withWaitingQuestions<Value: Sendable>(
        of store: SQLiteConversationRepository, _ body: (SQLiteWaitingQuestions) async throws -> Value
    ) async throws -> Value {
        try await withCleanup {
            try await body(SQLiteWaitingQuestions(store, logger: logger))
        } cleanup: {
            await store.close()
        }
    }

    /// The use case that answers waiting questions by the model in use; nil if none is.
    ///
    /// - Parameter asking: Asks for consent to calls of tools at this terminal; nil without one.
    func answerWaiting(
        _ questions: SQLiteWaitingQuestions, storingIn store: SQLiteConversationRepository, asking: ConsentPrompter?
    ) async throws -> AnswerWaiting? {
        guard let settings = try await passOnModel() else { return nil }
        let answer = answerQuestion(
            storingIn: store,
            model: OneQuestionModel { passOnModel(isSpoken: false, asking: asking, keepsAnswers: true) },
            router: AssistantRouter([.model]), questionLimit: .max)
        return AnswerWaiting(
            questions, connectivity: ServerConnectivity(host: settings.host, network: network), answer: answer,
            reason: { ErrorReport($0)?.message ?? "\($0)" })
    }

    /// Answers waiting questions beside a conversation, until the task is cancelled. What keeps it from that is logged
    /// alone: the questions wait on.
    ///
    /// - Parameters:
    ///   - notifies: True to tell the desktop, too.
    ///   - show: Shows a question with its answer.
    func answerWaitingMeanwhile(
        notifies: Bool = true, _ show: @escaping @Sendable (_ question: WaitingQuestion, _ answer: String) async -> Void
    ) async {
        let notifier = DesktopNotifier(application: "parley")
        do {
            guard try await !sealedData.isLocked(), try await passOnModel() != nil else { return }
            try paths.makeDataFolder()
            let store = try await sealedData.conversations(damage: .refuse)
            try await withWaitingQuestions(of: store) { questions in
                guard let answer = try await answerWaiting(questions, storingIn: store, asking: nil) else { return }
                try await answer { event in
                    guard case .answered(let question, let answer) = event else { return }
                    await show(question, answer.text)
                    if notifies { await LaterNotification(question, answer).show(by: notifier, logger) }
                }
            }
        } catch {
            logger.debug("no waiting questions are answered: \("\(error)", privacy: .public)")
        }
    }
}

/// A model with a conversation of its own for each question, which is closed behind the answer.
private struct OneQuestionModel: Assistant {
    let open: @Sendable () -> PassOnModel

    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        let model = open()
        return try await withCleanup {
            try await model.answer(question, report)
        } cleanup: {
            await model.close()
        }
    }
}
