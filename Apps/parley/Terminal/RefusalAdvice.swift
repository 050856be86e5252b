// SPDX-License-Identifier: MIT

import Domain

extension DomainError {
    /// Questions of each kind that get an answer.
    static let exampleQuestions = [
        "What is the capital of Texas?", "Which state bird has Maine?", "When was Ohio admitted?",
    ]

    /// The message as it is shown: a question that is turned down gets examples of others, and where the reason is said.
    var advice: String {
        guard self == .invalidQuery else { return message }
        let examples = Self.exampleQuestions.joined(separator: " ")
        return "\(message) For example: \(examples) --explain says why a question is turned down."
    }
}
