// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import Speech
import VoiceActivity

/// A listener's state machine: sound, opening and closing in, reports and the recogniser's actions out. Pure, so that the
/// microphone, the wake word and the recogniser may run beside each other.
struct ListenerState {
    /// The next steps, in order.
    enum Action {
        case report(ListenerReport.Event)
        case begin
        case feed(AudioBuffer)
        case cancel
        /// Recognise the words so far, and keep them as a draft.
        case draft
        /// Drop the draft.
        case forgetDraft
        /// End the utterance if the draft is a whole question after so long a pause.
        case wait(lastSpeech: ContinuousClock.Instant, silence: Duration)
        /// End the utterance with the draft, or else with its current words.
        case finish(lastSpeech: ContinuousClock.Instant)
    }

    private var tracker: UtteranceTracker
    /// The longest utterance.
    private let limit: Duration
    /// The sample at which a command may begin after the last wake word.
    private var commandStart: Int?
    private var end = 0
    /// True while the listener takes questions.
    private(set) var isOpen = false

    init(detector: any VoiceActivityDetector & Sendable, endpointing: Endpointer.Configuration) {
        tracker = UtteranceTracker(detector: detector, configuration: endpointing)
        limit = endpointing.longestSpeech
    }

    /// Continues with another detector, which knows nothing of the sound so far. For moments of silence while closed.
    mutating func hear(
        with detector: any VoiceActivityDetector & Sendable, _ endpointing: Endpointer.Configuration
    ) {
        tracker = UtteranceTracker(detector: detector, configuration: endpointing)
    }

    /// True while somebody speaks, as far as is known yet.
    var isInSpeech: Bool { tracker.start != nil }

    /// The position in the sound.
    var position: Duration { AudioFormat.speech.duration(ofFrames: end) }

    /// Takes the next period of sound; `canBeSpeech` is false for our own echo.
    mutating func process(_ captured: CapturedBuffer, canBeSpeech: Bool) -> [Action] {
        end = max(end, captured.position + captured.buffer.frameCount)
        return translate(tracker.process(captured, canBeSpeech: canBeSpeech))
    }

    /// The wake word was said; a command begins at sample `commandStart` once the listener is opened.
    mutating func woken(commandStart: Int) -> [Action] {
        self.commandStart = commandStart
        return [.report(.wakeWord)]
    }

    /// Takes questions from now on, from the wake word or from the beginning of the current speech.
    mutating func open() -> [Action] {
        isOpen = true
        let start = commandStart ?? tracker.start ?? end
        commandStart = nil
        return [.cancel, .forgetDraft, .report(.reached(.listening, at: .now))] + translate(tracker.restart(at: start))
    }

    /// Takes no more questions.
    mutating func close() -> [Action] {
        isOpen = false
        return [.cancel, .forgetDraft]
    }

    /// Begins a new utterance: a question was understood before its pause was over.
    mutating func settled() -> [Action] { translate(tracker.restart(at: end)) }

    /// Ends the sound.
    mutating func finish() -> [Action] { translate(tracker.finish()) }

    private func translate(_ actions: [UtteranceTracker.Action]) -> [Action] {
        actions.flatMap { isOpen ? translateOpen($0) : translateClosed($0) }
    }

    private func translateClosed(_ action: UtteranceTracker.Action) -> [Action] {
        switch action {
        case .begin: [.report(.speechBegan)]
        case .discard: [.report(.speechDiscarded)]
        case .feed, .pause, .wait, .resume, .end: []
        }
    }

    private func translateOpen(_ action: UtteranceTracker.Action) -> [Action] {
        switch action {
        case .begin(let instant): [.begin, .report(.reached(.speechStarted, at: instant)), .report(.speechBegan)]
        case .feed(let sound): [.feed(sound)]
        case .discard: [.cancel, .forgetDraft, .report(.speechDiscarded)]
        case .pause: [.draft]
        case .resume: [.forgetDraft]
        case .wait(let last, let silence): [.wait(lastSpeech: last, silence: silence)]
        case .end(_, isCut: true):
            [.cancel, .forgetDraft, .report(.speechTooLong(limit: Int(limit.components.seconds)))]
        case .end(let last, isCut: false): [.finish(lastSpeech: last)]
        }
    }
}
