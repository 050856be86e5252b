// SPDX-License-Identifier: MIT

import Concurrency
import DataAssistant
import DataLayer
import Diagnostics
import Domain
import Echo
import Persistence

/// The model of `parley assistant use`, for questions that this machine does not answer.
///
/// It is looked up with the first such question; without one, a question is no question for it.
actor PassOnModel: Assistant {
    /// A model, and the assistant that answers by it or from what is kept of it.
    struct Opened: Sendable {
        let model: UnopenedModel
        let assistant: any Assistant
        let cache: StoredAnswerCache?
    }

    private let open: @Sendable () async throws -> Opened?
    private var opened: Task<Opened?, any Error>?

    /// - Parameter open: Makes the model; nil if none is in use.
    init(open: @escaping @Sendable () async throws -> Opened?) { self.open = open }

    /// See `Assistant`.
    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        guard let model = try await model() else { throw DomainError.invalidQuery }
        return try await model.assistant.answer(question, report)
    }

    /// See `Assistant`. The model is looked up only for a question that may have a kept answer.
    func foresee(_ question: AssistantQuestion) async -> AssistantAnswer? {
        guard FactQuestion(question.text) != nil, let model = try? await model() else { return nil }
        return await model.assistant.foresee(question)
    }

    /// Closes the model, if it was used.
    func close() async {
        guard let opened = try? await opened?.value else { return }
        await opened.model.close()
        await opened.cache?.close()
    }

    private func model() async throws -> Opened? {
        let task = opened ?? Task { [open] in try await open() }
        opened = task
        do { return try await task.value } catch {
            // The next question looks again: the key may have come.
            opened = nil
            throw error
        }
    }
}

/// A model that is made with the first question that it gets: a kept answer needs none, and no library of the network.
actor UnopenedModel: Assistant {
    private let open: @Sendable () throws -> ModelAssistant
    private var opened: ModelAssistant?

    init(_ open: @escaping @Sendable () throws -> ModelAssistant) { self.open = open }

    /// See `Assistant`.
    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        let model = try opened ?? open()
        opened = model
        return try await model.answer(question, report)
    }

    /// Forgets the conversation.
    func forget() async { await opened?.forget() }

    /// Closes the model, if it was made.
    func close() async { await opened?.close() }
}

/// A model that forgets each question behind its answer.
private struct UnrelatedQuestions: Assistant {
    let model: UnopenedModel
    let assistant: any Assistant

    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        try await withCleanup {
            try await assistant.answer(question, report)
        } cleanup: {
            await model.forget()
        }
    }
}

extension CompositionRoot {
    /// The model for questions that this machine does not answer, with the tools of `parley mcp`.
    ///
    /// - Parameters:
    ///   - isSpoken: True if its answers are spoken.
    ///   - asking: Asks for consent at this terminal; nil without one.
    ///   - keepsAnswers: False to neither keep its answers nor give kept ones.
    func passOnModel(isSpoken: Bool, asking: ConsentPrompter?, keepsAnswers: Bool) -> PassOnModel {
        PassOnModel {
            let opened = try await openedModel(
                isSpoken: isSpoken, keepsAnswers: keepsAnswers, budget: nil
            ) { try toolBox(allowsAll: false, asking: asking) }
            guard let opened, keepsAnswers else { return opened }
            // Not with --no-history: a turn that is not stored could not say what was sent.
            return PassOnModel.Opened(
                model: opened.model, assistant: ContextualAssistant(opened.assistant) { await contextSituation() },
                cache: opened.cache)
        }
    }

    /// The model for answers that are spoken and perhaps asked for next. It has no tools, gets nothing of the person's
    /// situation, and answers nothing where its answers are not kept.
    ///
    /// - Parameter budget: The most that it may cost, in US dollars.
    func preloadModel(budget: Double) -> PassOnModel {
        PassOnModel {
            let opened = try await openedModel(isSpoken: true, keepsAnswers: true, budget: budget) { nil }
            guard let opened, opened.cache != nil else { return nil }
            return PassOnModel.Opened(
                model: opened.model, assistant: UnrelatedQuestions(model: opened.model, assistant: opened.assistant),
                cache: opened.cache)
        }
    }

    private func openedModel(
        isSpoken: Bool, keepsAnswers: Bool, budget: Double?, tools: @escaping @Sendable () throws -> MCPToolBox?
    ) async throws -> PassOnModel.Opened? {
        guard let settings = try await passOnModel() else { return nil }
        let prompt = try await SystemPromptOptions.used(in: self)
        let style =
            isSpoken
            ? "Your answer is spoken aloud. Answer in a few plain sentences, without lists, links and markup." : nil
        let instructions = [prompt, style].compactMap(\.self).joined(separator: "\n\n")
        let limit = keepsAnswers ? answerCacheLimit() : .none
        let model = UnopenedModel {
            try self.model(
                settings, instructions: instructions.isEmpty ? nil : instructions, budget: budget,
                voice: VoiceConfiguration(), tools: try tools(), asksIfItLasts: limit.keepsAnswers)
        }
        guard limit.keepsAnswers, (try? await sealedData.isLocked()) == false else {
            return PassOnModel.Opened(model: model, assistant: model, cache: nil)
        }
        let cache = StoredAnswerCache(
            space: "\(settings.baseURL) \(settings.model) \(instructions)", history: questionHistory
        ) { try await answerStore(limit) }
        return PassOnModel.Opened(model: model, assistant: RememberingAssistant(model, cache: cache), cache: cache)
    }

    /// The last messages, for habits: some weeks of a busy person. Nobody is asked for the passphrase of the app lock.
    func questionHistory() async throws -> [Domain.Message] {
        guard !AppPaths.isMissing(paths.conversations) else { return [] }
        guard try await !sealedData.isLocked() else { throw DomainError.unusable(.locked) }
        let store = try await sealedData.conversations(damage: .refuse)
        return try await withCleanup {
            try await store.recentMessages(limit: 10_000)
        } cleanup: {
            await store.close()
        }
    }

    /// The file of kept answers.
    func answerStore(_ limit: AnswerCacheLimit) async throws -> CacheStore {
        try paths.makeDataFolder()
        return try await CacheStore(
            at: paths.answers, configuration: limit.bounds, seal: try await dataSeal()?.pages,
            logger: logger.with(category: "answers"))
    }
}
