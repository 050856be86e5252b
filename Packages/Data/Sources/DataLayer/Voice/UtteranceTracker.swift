// SPDX-License-Identifier: MIT

import AudioKitLinux
import Speech

/// Cuts one utterance out of captured sound: sound in, actions out.
///
/// Sound from before the beginning is kept back for as long as the end pointer's pre-roll needs it.
struct UtteranceTracker {
    /// What to do next, in order. Instants are those at which a sample was at the microphone.
    enum Action {
        /// Speech began; a recogniser begins an utterance.
        case begin(at: ContinuousClock.Instant)
        /// The recogniser takes this sound.
        case feed(AudioBuffer)
        /// It was no speech; the recogniser forgets the utterance.
        case discard
        /// A short pause: time to look at the words so far.
        case pause
        /// The pause has lasted: the utterance is over if its words make a whole question.
        case settle(lastSpeech: ContinuousClock.Instant)
        /// The speech goes on; the words so far are not all.
        case resume
        /// The utterance is over.
        case end(lastSpeech: ContinuousClock.Instant)
    }

    private var endpointer: EnergyEndpointer
    private var keptBack: [CapturedBuffer] = []
    private let reach: Int
    /// Whether an utterance is under way.
    private(set) var isOpen = false
    private var latest: (frame: Int, instant: ContinuousClock.Instant)?

    /// Makes a tracker that has heard nothing yet.
    init(configuration: EnergyEndpointer.Configuration = EnergyEndpointer.Configuration()) {
        endpointer = EnergyEndpointer(configuration: configuration)
        reach = AudioFormat.speech.frames(in: configuration.preRoll + configuration.onset) + 1600
    }

    /// Takes the next period of sound.
    mutating func process(_ captured: CapturedBuffer) -> [Action] {
        latest = (captured.position + captured.buffer.frameCount, captured.capturedAt)
        keptBack.append(captured)
        var actions = translate(endpointer.process(captured.buffer, at: captured.position))
        if isOpen {
            actions += keptBack.map { .feed($0.buffer) }
            keptBack = []
        } else {
            let oldest = captured.position - reach
            keptBack.removeAll { $0.position + $0.buffer.frameCount <= oldest }
        }
        return actions
    }

    /// The sound is over.
    mutating func finish() -> [Action] {
        translate(endpointer.finish())
    }

    private mutating func translate(_ events: [EnergyEndpointer.Event]) -> [Action] {
        var actions: [Action] = []
        for event in events {
            switch event {
            case .speechStarted(let start):
                isOpen = true
                actions.append(.begin(at: instant(of: start)))
                keptBack = keptBack.compactMap { $0.suffix(from: start) }
            case .pauseBegan:
                actions += takeKeptBack() + [.pause]
            case .pauseSettled(let last, _):
                actions.append(.settle(lastSpeech: instant(of: last)))
            case .speechResumed:
                actions.append(.resume)
            case .speechDiscarded:
                isOpen = false
                actions.append(.discard)
            case .speechEnded(let last, _):
                actions += takeKeptBack() + [.end(lastSpeech: instant(of: last))]
                isOpen = false
            }
        }
        return actions
    }

    private mutating func takeKeptBack() -> [Action] {
        defer { keptBack = [] }
        return keptBack.map { .feed($0.buffer) }
    }

    private func instant(of frame: Int) -> ContinuousClock.Instant {
        guard let latest else { return .now }
        let ago = AudioFormat.speech.duration(ofFrames: max(0, latest.frame - frame))
        return latest.instant - ago
    }
}

extension CapturedBuffer {
    /// What is left of the buffer from a frame of the stream on; `nil` when nothing is.
    fileprivate func suffix(from frame: Int) -> CapturedBuffer? {
        let first = max(0, frame - position)
        guard first < buffer.frameCount else { return nil }
        return CapturedBuffer(
            buffer: buffer.frames(first..<buffer.frameCount), position: position + first, capturedAt: capturedAt)
    }
}
