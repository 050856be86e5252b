// SPDX-License-Identifier: MIT

/// Finds the beginning, the pauses and the end of an utterance from the probabilities of a ``VoiceActivityDetector``: a
/// pure state machine without clock, device or sound.
///
/// Positions are sample indices of the stream and exact: whole frames from the stream's start position. They are those
/// of the sound, not of the moment: a detector that reports a frame later (71 ms for `SpectralDetector`, up to 32 ms
/// for `SileroDetector`) delays the events by that, and moves no position.
///
///     probability  ▁▁▁▁▁▂▆█████▇▃▁▂▆███▇▃▁▁▁▁▁▁▁▁▁▁▁▁
///     events         S    ^      PLLR     PLLLLLLLLLLE
///
/// S: `speechStarted`, reported at ^, the pre-roll before the first speech; P: `pauseBegan`; L: `pauseLasted`, each
/// frame; R: `speechResumed`; E: `speechEnded`, whose range ends with the last speech. A caller that can tell from the
/// words that a person has finished ends the utterance at an L.
public struct Endpointer: Sendable {
    /// An event in the stream.
    public enum Event: Sendable, Hashable {
        /// Speech began. `at` lies before the first speech by the pre-roll, but neither before the stream's first
        /// sample nor before the end of the last utterance.
        case speechStarted(at: Int)
        /// No speech since `lastSpeech` (the index after its last sample) for the short pause: the end, perhaps.
        case pauseBegan(lastSpeech: Int, detectedAt: Int)
        /// Still no speech since `lastSpeech`: a further frame of a pause after `pauseBegan`.
        case pauseLasted(lastSpeech: Int, detectedAt: Int)
        /// Speech continued after `pauseBegan`.
        case speechResumed(at: Int)
        /// Speech is over: from `speechStarted` to the end of its last frame.
        case speechEnded(Range<Int>, detectedAt: Int, because: Ending)
        /// The speech that had started was too short.
        case speechDiscarded(Range<Int>, detectedAt: Int)
    }

    /// The reason that speech is over.
    public enum Ending: String, Sendable, Hashable {
        /// The pause was long enough.
        case silence
        /// It was too long; if it continues, it starts anew at the cut, and no sample is lost.
        case limit
        /// The stream ended.
        case streamEnd
    }

    private struct Utterance: Sendable {
        var start: Int
        var lastSpeech: Int
        var speechFrames: Int
        var isInPause = false
    }

    private let configuration: Configuration
    private var origin: Int
    private var position: Int
    private var previousEnd: Int
    private var utterance: Utterance?
    /// For each of the last frames, true if it was loud enough for a beginning.
    private var candidates: [Bool] = []
    private var room: RoomThreshold

    /// Makes an endpointer for a new stream.
    ///
    /// - Parameters:
    ///   - configuration: The thresholds and durations.
    ///   - position: The stream's sample index at which the first frame begins.
    public init(configuration: Configuration = Configuration(), startingAt position: Int = 0) {
        self.configuration = configuration
        self.origin = position
        self.position = position
        previousEnd = position
        room = RoomThreshold(configuration)
    }

    /// Drops speech in progress; the next frame begins at `position`. The measure of the room stays.
    ///
    /// This is for a stream with a gap, and for processing frames again from an earlier position.
    public mutating func restart(at position: Int) {
        origin = position
        self.position = position
        previousEnd = position
        utterance = nil
        candidates = []
    }

    /// True if speech has begun and has not ended.
    public var isInSpeech: Bool { utterance != nil }

    /// The threshold that a frame must reach now to begin speech, 0…1: the configured one in a calm room.
    public var speechThreshold: Float { room.speech }

    /// Processes the probabilities of the next frames; not-a-number counts as 0.
    public mutating func process(_ probabilities: [Float]) -> [Event] {
        var events: [Event] = []
        for probability in probabilities { step(probability >= 0 ? probability : 0, &events) }
        return events
    }

    /// Ends the stream, and with it speech in progress.
    public mutating func finish() -> [Event] {
        guard let utterance else { return [] }
        return [end(utterance, at: position, because: .streamEnd)]
    }

    private mutating func step(_ probability: Float, _ events: inout [Event]) {
        position += configuration.frameLength
        guard var current = utterance else {
            lookForBeginning(probability, &events)
            return
        }
        if probability >= room.silence {
            if current.isInPause { events.append(.speechResumed(at: position - configuration.frameLength)) }
            current.lastSpeech = position
            current.speechFrames += 1
            current.isInPause = false
        }
        utterance = current
        let silence = position - current.lastSpeech
        if position - current.start >= configuration.samples(configuration.longestSpeech) {
            events.append(end(current, at: position, because: .limit))
        } else if silence >= configuration.samples(configuration.minimumSilence) {
            events.append(end(current, at: position, because: .silence))
        } else if current.isInPause {
            events.append(.pauseLasted(lastSpeech: current.lastSpeech, detectedAt: position))
        } else if silence >= configuration.samples(configuration.shortPause), isSpeech(current) {
            utterance?.isInPause = true
            events.append(.pauseBegan(lastSpeech: current.lastSpeech, detectedAt: position))
        }
    }

    private mutating func lookForBeginning(_ probability: Float, _ events: inout [Event]) {
        candidates.append(probability >= room.speech)
        room.observeSilence(probability)
        let needed = max(1, configuration.samples(configuration.onset) / configuration.frameLength)
        // Two frames may fail in between.
        if candidates.count > needed + 2 { candidates.removeFirst() }
        let found = candidates.count { $0 }
        guard found >= needed, let first = candidates.firstIndex(of: true) else { return }
        let firstSpeech = position - (candidates.count - first) * configuration.frameLength
        let start = max(origin, previousEnd, firstSpeech - configuration.samples(configuration.preRoll))
        candidates = []
        utterance = Utterance(start: start, lastSpeech: position, speechFrames: found)
        events.append(.speechStarted(at: start))
    }

    private mutating func end(_ utterance: Utterance, at position: Int, because ending: Ending) -> Event {
        self.utterance = nil
        // At the limit the whole is taken, so that continued speech follows without a gap.
        previousEnd = ending == .limit ? position : utterance.lastSpeech
        let range = utterance.start..<previousEnd
        return isSpeech(utterance)
            ? .speechEnded(range, detectedAt: position, because: ending)
            : .speechDiscarded(range, detectedAt: position)
    }

    private func isSpeech(_ utterance: Utterance) -> Bool {
        utterance.speechFrames * configuration.frameLength >= configuration.samples(configuration.minimumSpeech)
    }
}
