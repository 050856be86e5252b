// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain

extension Flag {
    /// An option of the commands that ask a model.
    static let later = Flag("later", help: "Keep a question while the model is away, and answer it when it is back")
}

extension Invocation {
    /// True if questions are kept; what keeps nothing cannot keep those either.
    func keepsForLater() throws(UsageError) -> Bool {
        guard has(.later) else { return false }
        guard !has(.noHistory) else { throw error("--later and --no-history do not go together.") }
        return true
    }
}

/// The error of a question that only the model can answer, and that could have been kept.
struct QuestionNotKept: Error {
    let error: DomainError
    /// The way to keep it.
    let remedy: Sentence

    /// Nil if it makes no sense to ask the question again later.
    init?(_ error: any Error, remedy: Sentence = "--later keeps the question and answers it when the model is back.") {
        guard let error = error as? DomainError, error.isTransient else { return nil }
        (self.error, self.remedy) = (error, remedy)
    }
}
