// SPDX-License-Identifier: MIT

public import Diagnostics
public import Speech

extension GrammarRecognizer {
    /// A recogniser for spoken questions about states, with its model loaded.
    ///
    /// - Throws: `SpeechError`.
    public static func forStateQuestions(
        model: AcousticModel = .englishUS, logger: Logger = .disabled
    ) async throws -> GrammarRecognizer {
        let questions = try StateQuestionGrammar()
        return try await GrammarRecognizer(
            grammar: questions.grammar, otherWords: questions.otherWords, model: model,
            pronunciations: StatePronunciations.phones, contentWords: questions.contentWords, logger: logger)
    }
}
