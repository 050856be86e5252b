// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataAssistant
import Diagnostics
import Domain

/// The choice about questions that are probably asked next.
struct PreloadChoice: Sendable {
    /// An option of the commands that hear and speak.
    static let asksModel = Flag(
        "preload-model", help: "While you ask nothing, ask the model for facts that you probably ask next")
    /// The budget without a choice, in US dollars.
    static let standardBudget = 0.10

    /// The most that the model may cost, in US dollars; nil to ask none.
    let budget: Double?

    /// - Parameter budget: The option of the command.
    init(_ invocation: Invocation, budget option: ValueOption<Double>) throws(UsageError) {
        guard invocation.has(Self.asksModel) else {
            budget = nil
            return
        }
        guard !invocation.has(.noHistory) else {
            throw invocation.error("--preload-model and --no-history do not go together.")
        }
        budget = invocation[option] ?? Self.standardBudget
    }
}

extension CompositionRoot {
    /// The model of a choice; nil if none is to be asked.
    func preloadModel(_ choice: PreloadChoice) -> PassOnModel? { choice.budget.map { preloadModel(budget: $0) } }

    /// Prepares for likely questions while nobody asks anything.
    ///
    /// - Parameter model: The model for facts; see ``preloadModel(_:)``.
    func preloadAnswers(
        to answerQuestion: AnswerQuestion, spokenBy speaker: any SpeechSpeaker, model: PassOnModel?
    ) -> PreloadAnswers {
        let (zones, logger) = (SystemTimeZones(), logger.with(category: "preload"))
        return PreloadAnswers(
            history: { try await questionHistory() }, answerQuestion: answerQuestion, speaker: speaker, model: model,
            battery: { DeviceInfo.Battery() },
            secondsFromGMT: { (try? zones.offset(in: nil, at: $0))?.seconds ?? 0 },
            report: { logger.debug("prepared for \($0.count, privacy: .public) questions") })
    }
}
