// SPDX-License-Identifier: MIT

import Domain
import Persistence

/// The number of megabytes and days for which a model's answers are kept.
struct AnswerCacheLimit: OwnFileValue, Equatable {
    /// The size of all answers (of 1,000,000 bytes); 0 to keep none.
    var megabytes = 100
    /// The greatest age in days.
    var days = 7

    static let remedy: Sentence = "Set the limit again: parley cache limit --help."
    var isValid: Bool { Self.sizes.contains(megabytes) && Self.ages.contains(days) }
    var keepsAnswers: Bool { megabytes > 0 }

    /// No answers.
    static let none = AnswerCacheLimit(megabytes: 0)
    static let sizes = 0...10_000
    static let ages = 1...365

    /// The limit for the file.
    var bounds: CacheStore.Configuration {
        .init(maximumBytes: megabytes * 1_000_000, maximumAge: .seconds(days * 86_400))
    }
}

extension CompositionRoot {
    /// The limit of kept answers; a file that cannot be read costs a warning, and nothing is kept meanwhile.
    func answerCacheLimit() -> AnswerCacheLimit {
        do { return try AnswerCacheLimit.load(from: paths.answerCacheLimit) ?? AnswerCacheLimit() } catch {
            console.warn("Answers are not kept. \(Sentence(error))")
            return .none
        }
    }
}
