// SPDX-License-Identifier: MIT

import DataAssistant
import Domain
import Echo

/// The model of `parley assistant use`, for questions that this machine does not answer.
///
/// It is looked up with the first such question; without one, a question is no question for it.
actor PassOnModel: Assistant {
    private let open: @Sendable () async throws -> ModelAssistant?
    private var opened: Task<ModelAssistant?, any Error>?

    /// - Parameter open: Makes the model; nil if none is in use.
    init(open: @escaping @Sendable () async throws -> ModelAssistant?) { self.open = open }

    /// See `Assistant`.
    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        guard let model = try await model() else { throw DomainError.invalidQuery }
        return try await model.answer(question, report)
    }

    /// Closes the model, if it was used.
    func close() async {
        if let model = try? await opened?.value { await model.close() }
    }

    private func model() async throws -> ModelAssistant? {
        let task = opened ?? Task { [open] in try await open() }
        opened = task
        do { return try await task.value } catch {
            // The next question looks again: the key may have come.
            opened = nil
            throw error
        }
    }
}

extension CompositionRoot {
    /// The model for questions that this machine does not answer, with the tools of `parley mcp`.
    ///
    /// - Parameters:
    ///   - isSpoken: True if its answers are spoken.
    ///   - asking: Asks for consent at this terminal; nil without one.
    func passOnModel(isSpoken: Bool, asking: ConsentPrompter?) -> PassOnModel {
        PassOnModel {
            guard let settings = try await passOnModel() else { return nil }
            let prompt = try await SystemPromptOptions.used(in: self)
            let style =
                isSpoken
                ? "Your answer is spoken aloud. Answer in a few plain sentences, without lists, links and markup." : nil
            let instructions = [prompt, style].compactMap(\.self).joined(separator: "\n\n")
            return try model(
                settings, instructions: instructions.isEmpty ? nil : instructions, budget: nil,
                voice: VoiceConfiguration(), tools: try toolBox(allowsAll: false, asking: asking))
        }
    }
}
