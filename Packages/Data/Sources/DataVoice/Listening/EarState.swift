// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import Speech
import VoiceActivity

/// What an ear makes of sound and of being opened and closed: which reports, and what its recogniser does. Pure, so that
/// the microphone, the wake word and the recogniser may run beside each other.
struct EarState {
    /// What to do next, in order.
    enum Action {
        case report(Heard.Event)
        case begin
        case feed(AudioBuffer)
        case cancel
        /// Look at the words so far, and keep them.
        case draft
        /// Forget the words that were looked at.
        case forgetDraft
        /// End the utterance if the words that were looked at make a whole question; after a `short` pause, if hardly anything
        /// can follow them.
        case settle(lastSpeech: ContinuousClock.Instant, isShort: Bool)
        /// End the utterance with the words that were looked at, or with those that it has now.
        case finish(lastSpeech: ContinuousClock.Instant)
    }

    private var tracker: UtteranceTracker
    /// Where a command may begin after the last wake word.
    private var commandStart: Int?
    private var end = 0
    /// Whether it takes questions.
    private(set) var isOpen = false

    init(detector: any VoiceActivityDetector & Sendable, endpointing: Endpointer.Configuration) {
        tracker = UtteranceTracker(detector: detector, configuration: endpointing)
    }

    /// Whether somebody speaks, as far as is known yet.
    var isInSpeech: Bool { tracker.start != nil }

    /// How far the sound has come.
    var position: Duration { AudioFormat.speech.duration(ofFrames: end) }

    /// Takes the next period of sound; `canBeSpeech` is false for what is our own echo.
    mutating func process(_ captured: CapturedBuffer, canBeSpeech: Bool) -> [Action] {
        end = max(end, captured.position + captured.buffer.frameCount)
        return translate(tracker.process(captured, canBeSpeech: canBeSpeech))
    }

    /// The wake word was said; what follows from sample `commandStart` on is for us once the ear is opened.
    mutating func woken(commandStart: Int) -> [Action] {
        self.commandStart = commandStart
        return [.report(.wakeWord)]
    }

    /// Takes questions from now on, from the wake word or from the beginning of what is being said.
    mutating func open() -> [Action] {
        isOpen = true
        let start = commandStart ?? tracker.start ?? end
        commandStart = nil
        return [.cancel, .forgetDraft, .report(.reached(.listening, at: .now))] + translate(tracker.restart(at: start))
    }

    /// Takes no questions any more.
    mutating func close() -> [Action] {
        isOpen = false
        return [.cancel, .forgetDraft]
    }

    /// A question was understood before its pause was over; what is said next is another one.
    mutating func settled() -> [Action] { translate(tracker.restart(at: end)) }

    /// The sound is over.
    mutating func finish() -> [Action] { translate(tracker.finish()) }

    private func translate(_ actions: [UtteranceTracker.Action]) -> [Action] {
        actions.flatMap { isOpen ? translateOpen($0) : translateClosed($0) }
    }

    private func translateClosed(_ action: UtteranceTracker.Action) -> [Action] {
        switch action {
        case .begin: [.report(.speechBegan)]
        case .discard: [.report(.speechDiscarded)]
        case .feed, .pause, .settle, .resume, .end: []
        }
    }

    private func translateOpen(_ action: UtteranceTracker.Action) -> [Action] {
        switch action {
        case .begin(let instant): [.begin, .report(.reached(.speechStarted, at: instant)), .report(.speechBegan)]
        case .feed(let sound): [.feed(sound)]
        case .discard: [.cancel, .forgetDraft, .report(.speechDiscarded)]
        case .pause: [.draft]
        case .resume: [.forgetDraft]
        case .settle(let last, let isShort): [.settle(lastSpeech: last, isShort: isShort)]
        case .end(let last): [.finish(lastSpeech: last)]
        }
    }
}
