// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Prepares the answers to the likeliest next questions while nobody asks anything (``LikelyQuestions``).
///
/// An answer that is told for nothing and without an effect is found, and its first sentence made into sound
/// (``SpeechSpeaker/preload(_:)``). A question for a fact goes to a model, if there is one for this, which calls no tools
/// and whose lasting answers are kept; each at most once a day. Nothing is prepared on a battery below ``leastCharge``.
public actor PreloadAnswers {
    /// The quiet time after a turn, and after the beginning.
    public static let quiet = Duration.seconds(10)
    /// The time between two preparations while nothing happens: the time of day changes what is likely.
    public static let interval = Duration.seconds(1_800)
    /// The charge of a battery that is being emptied below which nothing is prepared.
    public static let leastCharge = 0.2

    private let history: @Sendable () async throws -> [Message]
    private let answerQuestion: AnswerQuestion
    private let speaker: any SpeechSpeaker
    private let model: (any Assistant)?
    private let battery: @Sendable () -> DeviceInfo.Battery?
    private let secondsFromGMT: @Sendable (Date) -> Int
    private let report: @Sendable ([String]) -> Void
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private var work: Task<Void, Never>?
    /// The times at which the model was asked, by question.
    private var asked: [String: Date] = [:]

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - history: Reads the person's last messages; an error costs the preparation, and nothing else.
    ///   - answerQuestion: Answers the person's questions.
    ///   - speaker: Speaks their answers.
    ///   - model: Gets questions for facts; it must call no tools. Nil to ask no model.
    ///   - battery: Reads the battery; nil for a machine without one.
    ///   - secondsFromGMT: The person's offset from UTC at a time.
    ///   - report: Gets the questions of each preparation.
    ///   - clock: Measures the waits.
    ///   - now: The wall clock.
    public init(
        history: @escaping @Sendable () async throws -> [Message], answerQuestion: AnswerQuestion,
        speaker: any SpeechSpeaker, model: (any Assistant)? = nil,
        battery: @escaping @Sendable () -> DeviceInfo.Battery?,
        secondsFromGMT: @escaping @Sendable (Date) -> Int,
        report: @escaping @Sendable ([String]) -> Void = { _ in }, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.history, self.answerQuestion, self.speaker, self.model) = (history, answerQuestion, speaker, model)
        (self.battery, self.secondsFromGMT, self.report) = (battery, secondsFromGMT, report)
        (self.clock, self.now) = (clock, now)
    }

    deinit { work?.cancel() }

    /// True if the battery has enough charge to prepare anything.
    public static func permits(_ battery: DeviceInfo.Battery?) -> Bool {
        guard let battery, battery.isEmptied else { return true }
        return battery.level >= leastCharge
    }

    /// Prepares from now on, after ``quiet``, until ``stop()``.
    ///
    /// - Parameter ongoing: The conversation to which the next question belongs; nil for a new one.
    public func begin(in ongoing: OngoingConversation? = nil) {
        work?.cancel()
        work = Task { [weak self, clock] in
            var wait = Self.quiet
            while (try? await clock.sleep(for: wait)) != nil {
                await self?.prepare(in: ongoing)
                wait = Self.interval
            }
        }
    }

    /// Gives up what is being prepared. What is ready stays.
    public func stop() {
        work?.cancel()
        work = nil
    }

    /// Prepares once.
    func prepare(in ongoing: OngoingConversation?) async {
        guard Self.permits(battery()), let messages = try? await history(), !Task.isCancelled else { return }
        let now = now()
        let likely = LikelyQuestions(
            AskedQuestion.questions(of: messages), at: now, secondsFromGMT: secondsFromGMT
        ).next()
        var texts: [String] = []
        var prepared: [String] = []
        for question in likely {
            let local = await answerQuestion.foresee(Transcript(text: question, confidence: 1), in: ongoing)
            let answer: String? = if let local { local } else { await askModel(question, now) }
            guard !Task.isCancelled else { return }
            guard let answer else { continue }
            texts.append(answer)
            prepared.append(question)
        }
        await speaker.preload(texts)
        if !Task.isCancelled { report(prepared) }
    }

    /// The model's answer to a question for a fact, if it will be given to the person, too.
    private func askModel(_ question: String, _ now: Date) async -> String? {
        guard let model, let fact = FactQuestion(question),
            asked[fact.key].map({ now.timeIntervalSince($0) > 86_400 }) ?? true
        else { return nil }
        asked[fact.key] = now
        do {
            let answer = try await model.answer(AssistantQuestion(question, modality: .voice)) { _ in }
            return answer.lasts || answer.source == .cache ? answer.text : nil
        } catch {
            // One that was given up is asked again.
            if error is CancellationError { asked[fact.key] = nil }
            return nil
        }
    }
}
