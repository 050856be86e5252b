// SPDX-License-Identifier: MIT

import AudioKitLinux
import VoiceActivity

/// Finds utterances in captured sound: sound in, actions out.
///
/// The last seconds are kept, for the endpointer's pre-roll and for `restart(at:)`.
struct UtteranceTracker {
    /// The next steps, in order. An instant is the time at which a sample was at the microphone.
    enum Action {
        /// Speech began; a recogniser begins an utterance.
        case begin(at: ContinuousClock.Instant)
        /// The recogniser takes this sound.
        case feed(AudioBuffer)
        /// The sound was no speech; the recogniser drops the utterance.
        case discard
        /// A short pause: the words so far can be recognised.
        case pause
        /// The pause has lasted for so long: the utterance is over if its words are whole.
        case wait(lastSpeech: ContinuousClock.Instant, silence: Duration)
        /// The speech continues; the words so far are not all.
        case resume
        /// The utterance is over; cut if it reached the longest one, and may go on.
        case end(lastSpeech: ContinuousClock.Instant, isCut: Bool)
    }

    /// The greatest gap that counts as silence; after a longer one everything begins anew. One second of samples.
    private static let longestGap = 16_000

    private var detector: any VoiceActivityDetector & Sendable
    private var endpointer: Endpointer
    private var heard: HeardSound
    /// The beginning of the current utterance; nil outside one.
    private(set) var start: Int?
    /// The position up to which sound was handed on.
    private var handedOn = 0

    /// Makes a tracker without sound.
    ///
    /// - Parameter reach: The length of the kept sound.
    init(
        detector: any VoiceActivityDetector & Sendable, configuration: Endpointer.Configuration,
        reach: Duration = .seconds(4)
    ) {
        self.detector = detector
        endpointer = Endpointer(configuration: configuration)
        heard = HeardSound(reach: AudioFormat.speech.frames(in: reach))
    }

    /// Takes the next period of sound.
    ///
    /// - Parameter canBeSpeech: False if nothing in it can be speech.
    mutating func process(_ captured: CapturedBuffer, canBeSpeech: Bool = true) -> [Action] {
        var actions: [Action] = []
        let gap = captured.position - (heard.end ?? captured.position)
        if heard.end == nil {
            endpointer.restart(at: captured.position)
        } else if gap < 0 || gap > Self.longestGap {
            actions += finish()
            heard.clear()
            endpointer.restart(at: captured.position)
        } else if gap > 0 {
            actions += look(at: [Float](repeating: 0, count: gap))
        }
        heard.append(captured)
        actions += look(at: captured.buffer.samples, canBeSpeech: canBeSpeech)
        if start != nil { actions += handOn() }
        return actions
    }

    /// Ends the sound.
    mutating func finish() -> [Action] {
        let last = detector.finish()
        heard.append(last)
        return translate(endpointer.process(last)) + translate(endpointer.finish())
    }

    /// Drops the current utterance and examines the kept sound from `position` on again.
    mutating func restart(at position: Int) -> [Action] {
        start = nil
        let (first, known) = heard.probabilities(from: position)
        endpointer.restart(at: first)
        let actions = translate(endpointer.process(Array(known)))
        return start == nil ? actions : actions + handOn()
    }

    private mutating func look(at samples: [Float], canBeSpeech: Bool = true) -> [Action] {
        var probabilities = detector.process(samples)
        if !canBeSpeech { for index in probabilities.indices { probabilities[index] = 0 } }
        heard.append(probabilities)
        return translate(endpointer.process(probabilities))
    }

    private mutating func translate(_ events: [Endpointer.Event]) -> [Action] {
        var actions: [Action] = []
        for event in events {
            switch event {
            case .speechStarted(let position):
                start = position
                handedOn = position
                actions.append(.begin(at: heard.instant(of: position)))
            case .pauseBegan:
                actions += handOn() + [.pause]
            case .pauseLasted(let last, let detected):
                let silence = AudioFormat.speech.duration(ofFrames: detected - last)
                actions.append(.wait(lastSpeech: heard.instant(of: last), silence: silence))
            case .speechResumed:
                actions.append(.resume)
            case .speechDiscarded:
                start = nil
                actions.append(.discard)
            case .speechEnded(let range, _, let ending):
                let lastSpeech = heard.instant(of: range.upperBound)
                actions += handOn() + [.end(lastSpeech: lastSpeech, isCut: ending == .limit)]
                start = nil
            }
        }
        return actions
    }

    /// Hands on the sound since the last time.
    private mutating func handOn() -> [Action] {
        defer { handedOn = max(handedOn, heard.end ?? 0) }
        return heard.sound(from: handedOn).map { .feed($0) }
    }
}
