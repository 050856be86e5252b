// SPDX-License-Identifier: MIT

public import Domain

/// Listeners for given sounds.
public struct SpeechListenerSubject: Sendable {
    /// The sound that a listener hears.
    public enum Sound: Sendable, Hashable, CaseIterable {
        /// The subject's question, and the end of the sound, or silence.
        case question
        /// Speech that is not a question.
        case otherSpeech
        /// Silence that ends, or that exceeds the listener's patience.
        case silence
        /// Silence in which it waits for a question until it is cancelled.
        case endlessSilence
    }

    let question: String
    let listener: @Sendable (Sound) async throws -> any SpeechListener
    let failing: Failing<any SpeechListener>

    /// A subject.
    ///
    /// - Parameters:
    ///   - question: The words that the listener must understand.
    ///   - listener: Makes a listener that hears a sound.
    ///   - failing: Listeners that fail with `device`, `file` or `speechEngine`.
    public init(
        question: String, listener: @escaping @Sendable (Sound) async throws -> any SpeechListener,
        failing: Failing<any SpeechListener>
    ) {
        self.question = question
        self.listener = listener
        self.failing = failing
    }
}

/// The contract of `SpeechListener`.
public enum SpeechListenerContract {
    /// Every promise.
    public static let checks: [ContractCheck<SpeechListenerSubject>] = [
        .init("a question is understood, and its stages are reported in order") { subject in
            let reports = Collected<ListeningEvent>()
            let transcript = try await subject.listener(.question).listen { await reports.add($0) }
            try require(transcript.text == subject.question, "understood as \(transcript.text)")
            try require((0...1).contains(transcript.confidence), "a confidence of \(transcript.confidence)")
            let order = TurnStage.allCases.prefix { $0 != .answerReady }
            let stages = await reports.all.compactMap { event in
                if case .reached(let stage, _) = event { order.firstIndex(of: stage) } else { nil }
            }
            try require(stages.first == 0 && stages.last == order.count - 1, "not from first to last: \(stages)")
            try require(stages == Set(stages).sorted(), "stages out of order: \(stages)")
            let levels = await reports.all.compactMap { if case .level(let level) = $0 { level } else { nil } }
            try require(!levels.isEmpty && levels.allSatisfy { $0 <= 0 }, "levels of \(levels)")
        },
        .init("silence is noSpeech, each time") { subject in
            let listener = try await subject.listener(.silence)
            for _ in 0..<2 {
                try await requireError(code: "noSpeech") { _ = try await listener.listen { _ in } }
            }
        },
        .init("speech that is no question is notUnderstood") { subject in
            let listener = try await subject.listener(.otherSpeech)
            try await requireError(code: "notUnderstood") { _ = try await listener.listen { _ in } }
        },
        .init("cancellation ends the wait for a question") { subject in
            let listener = try await subject.listener(.endlessSilence)
            let task = Task { try await listener.listen { _ in withUnsafeCurrentTask { $0?.cancel() } } }
            try await requireCancellationError { _ = try await task.value }
        },
        .init("a cancelled call hears nothing") { subject in
            let listener = try await subject.listener(.endlessSilence)
            try await requireCancelled { _ = try await listener.listen { _ in } }
        },
        .init("a failure is a documented error") { subject in
            try await requireErrors(of: subject.failing, documented: ["device", "file", "speechEngine"]) {
                _ = try await $0.listen { _ in }
            }
        },
    ]
}

/// Speakers that work, and those that fail.
public struct SpeechSpeakerSubject: Sendable {
    let speaker: @Sendable () async throws -> any SpeechSpeaker
    let failing: Failing<any SpeechSpeaker>

    /// A subject.
    ///
    /// - Parameters:
    ///   - speaker: Makes a speaker.
    ///   - failing: Speakers that fail with `device`, `file` or `speechEngine`.
    public init(
        speaker: @escaping @Sendable () async throws -> any SpeechSpeaker, failing: Failing<any SpeechSpeaker>
    ) {
        self.speaker = speaker
        self.failing = failing
    }
}

/// The contract of `SpeechSpeaker`.
public enum SpeechSpeakerContract {
    /// Every promise.
    public static let checks: [ContractCheck<SpeechSpeakerSubject>] = [
        .init("each text is spoken, its stages are reported in order, and all is heard") { subject in
            let speaker = try await subject.speaker()
            for text in ["The capital of Texas is Austin.", "It is large. It is hot."] {
                let reports = Collected<SpeakingEvent>()
                try await speaker.speak(text) { await reports.add($0) }
                let (stages, times) = await (reports.all.compactMap(\.stage), reports.all.compactMap(\.time))
                try require(
                    stages == [.firstAudioReady, .firstSampleAudible, .answerSpoken], "\(text): \(stages)")
                try require(times == times.sorted(), "the times go back: \(times)")
                let heard = await reports.all.last?.heard
                try require(heard == text.count, "\(heard ?? -1) characters heard")
            }
        },
        .init("a sentence is audible before the text is there as a whole") { subject in
            let speaker = try await subject.speaker()
            let (text, input) = AsyncStream.makeStream(of: String.self)
            let reports = Collected<SpeakingEvent>()
            for piece in ["Austin is", " the capital", " of Texas. It"] { input.yield(piece) }
            try await speaker.speak(text) { event in
                await reports.add(event)
                guard event.stage == .firstSampleAudible else { return }
                input.yield(" is hot.")
                input.finish()
            }
            let stages = await reports.all.compactMap(\.stage)
            try require(stages == [.firstAudioReady, .firstSampleAudible, .answerSpoken], "\(stages)")
            let heard = await reports.all.last?.heard
            try require(heard == 42, "\(heard ?? -1) characters heard")
        },
        .init("a text is spoken as a whole, also one that was prepared, and one other than that") { subject in
            let speaker = try await subject.speaker()
            for prepared in ["Austin. It is hot.", "Boston."] {
                speaker.prepare("Nobody hears this.")
                speaker.prepare(prepared)
                let reports = Collected<SpeakingEvent>()
                try await speaker.speak("Austin. It is hot.") { await reports.add($0) }
                let stages = await reports.all.compactMap(\.stage)
                try require(stages == [.firstAudioReady, .firstSampleAudible, .answerSpoken], "\(prepared): \(stages)")
                let heard = await reports.all.last?.heard
                try require(heard == 18, "\(prepared): \(heard ?? -1) characters heard")
            }
        },
        .init("one of several texts that were made ready is spoken, twice too, and any other one") { subject in
            let speaker = try await subject.speaker()
            await speaker.preload(["Boston.", "Austin. It is hot."])
            await speaker.preload(["Austin. It is hot.", "Denver."])
            for text in ["Austin. It is hot.", "Austin. It is hot.", "Boston."] {
                let reports = Collected<SpeakingEvent>()
                try await speaker.speak(text) { await reports.add($0) }
                let stages = await reports.all.compactMap(\.stage)
                try require(stages == [.firstAudioReady, .firstSampleAudible, .answerSpoken], "\(text): \(stages)")
                let heard = await reports.all.last?.heard
                try require(heard == text.count, "\(text): \(heard ?? -1) characters heard")
            }
        },
        .init("a text without a piece is not spoken") { subject in
            let (text, input) = AsyncStream.makeStream(of: String.self)
            input.finish()
            let reports = Collected<SpeakingEvent>()
            try await subject.speaker().speak(text) { await reports.add($0) }
            try await require(reports.all.allSatisfy { $0.heard == 0 }, "something was reported")
        },
        .init("cancellation cuts the speech off, and tells what was heard") { subject in
            let speaker = try await subject.speaker()
            let text = String(repeating: "This is a sentence that nobody waits for. ", count: 40)
            let reports = Collected<SpeakingEvent>()
            let task = Task {
                try await speaker.speak(text) { event in
                    await reports.add(event)
                    if event.stage == .firstSampleAudible { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
            try await requireCancellationError { try await task.value }
            try await require(!reports.all.contains { $0.stage == .answerSpoken }, "spoken to the end")
            guard let heard = await reports.all.last?.heard else {
                throw BrokenContract(description: "not told what was heard")
            }
            try require(heard <= text.count / 2, "\(heard) characters heard")
        },
        .init("a cancelled call says nothing to the end") { subject in
            let speaker = try await subject.speaker()
            let reports = Collected<SpeakingEvent>()
            try await requireCancelled { try await speaker.speak("Nobody waits.") { await reports.add($0) } }
            try await require(!reports.all.contains { $0.stage == .answerSpoken }, "spoken to the end")
        },
        .init("a failure is a documented error") { subject in
            try await requireErrors(of: subject.failing, documented: ["device", "file", "speechEngine"]) {
                try await $0.speak("Nobody hears it.") { _ in }
            }
        },
    ]
}

extension SpeakingEvent {
    fileprivate var stage: TurnStage? { if case .reached(let stage, _) = self { stage } else { nil } }
    fileprivate var time: ContinuousClock.Instant? { if case .reached(_, let time) = self { time } else { nil } }
    fileprivate var heard: Int? { if case .heard(let characters) = self { characters } else { nil } }
}
