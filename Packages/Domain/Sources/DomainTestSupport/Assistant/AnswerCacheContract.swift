// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// The promises of every `AnswerCache`, checked on an empty one.
public enum AnswerCacheContract {
    /// Every promise.
    public static let checks: [ContractCheck<any AnswerCache>] = [
        .init("nothing is kept at first") { cache in
            try await require(cache.answer(to: question("who wrote Dracula")) == nil, "found what never was")
        },
        .init("an answer comes back unchanged, however its question is put") { cache in
            let kept = answer("Bram Stoker, in 1897. «Où là» 🧛")
            await cache.keep(kept, to: try question("Who wrote Drácula?"))
            for text in ["who wrote dracula", "Hey, please tell me WHO WROTE DRACULA, please!"] {
                try await require(cache.answer(to: question(text)) == kept, text)
            }
        },
        .init("another question gets none") { cache in
            await cache.keep(answer("6"), to: try question("what is 5 + 1"))
            for text in ["what is 5 + 12", "what is 5 - 1", "what is 5 1", "what is 15 + 1", "what was 5 + 1"] {
                try await require(cache.answer(to: question(text)) == nil, text)
            }
        },
        .init("the last answer to a question is the one") { cache in
            for text in ["old", "new"] { await cache.keep(answer(text), to: try question("who wrote Dracula")) }
            try await require(cache.answer(to: question("who wrote Dracula"))?.text == "new", "not the last one")
        },
        .init("answers that are kept at the same time are all there") { cache in
            try await concurrently(40) { number in
                await cache.keep(answer("\(number)"), to: try question("what is 2 * \(number)"))
            }
            for number in 0..<40 {
                try await require(cache.answer(to: question("what is 2 * \(number)"))?.text == "\(number)", "\(number)")
            }
        },
    ]

    private static func question(_ text: String) throws -> FactQuestion {
        guard let question = FactQuestion(text) else { throw BrokenContract(description: "no fact: \(text)") }
        return question
    }

    private static func answer(_ text: String) -> KeptAnswer {
        KeptAnswer(
            question: "as asked", text: text, model: "m", confidence: 0.75,
            answeredAt: Date(timeIntervalSince1970: 1_790_000_000.123))
    }
}

/// Answers in memory, without a limit.
public actor InMemoryAnswerCache: AnswerCache {
    private var answers: [FactQuestion: KeptAnswer] = [:]

    /// An empty one.
    public init() {}

    /// See `AnswerCache`.
    public func answer(to question: FactQuestion) -> KeptAnswer? { answers[question] }

    /// See `AnswerCache`.
    public func keep(_ answer: KeptAnswer, to question: FactQuestion) { answers[question] = answer }
}
