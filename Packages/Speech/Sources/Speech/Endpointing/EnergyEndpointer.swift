// SPDX-License-Identifier: MIT

public import AudioKitLinux
internal import Glibc

/// Finds where speech begins and ends by its energy over the noise floor: a pure state machine, no clock, no device.
///
/// Works on frames of 10 ms of 16 kHz mono. The floor follows the quietest moments of the last second and a half, so it
/// settles within speech too. Frame numbers are sample indices of the stream, counted from whatever the caller counts
/// from.
public struct EnergyEndpointer: Sendable {
    /// How eagerly speech is taken to begin and to be over.
    public struct Configuration: Sendable, Hashable {
        /// How far over the noise floor speech is, in dB.
        public var marginOverFloor: Float = 7
        /// Below this level, in dBFS, nothing is speech.
        public var lowestSpeechLevel: Float = -55
        /// How much energy makes a beginning.
        public var onset: Duration = .milliseconds(60)
        /// How long a pause may last within an utterance.
        public var hangover: Duration = .milliseconds(700)
        /// How long a pause lasts before ``Event/pauseBegan(lastSpeech:detectedAt:)``: time to look what was said.
        public var shortPause: Duration = .milliseconds(90)
        /// How long a pause lasts before ``Event/pauseSettled(lastSpeech:detectedAt:)``: what is a whole sentence by then
        /// is over. Longer than the pause that people and synthesisers make at a comma.
        public var settledPause: Duration = .milliseconds(260)
        /// What is shorter than this is a click, not speech.
        public var shortestSpeech: Duration = .milliseconds(150)
        /// What is longer than this is ended.
        public var longestSpeech: Duration = .seconds(20)
        /// How far before the first energy speech is taken to begin, for soft first consonants.
        public var preRoll: Duration = .milliseconds(300)

        /// Makes the default configuration.
        public init() {}
    }

    /// What was found. Positions are sample indices.
    public enum Event: Sendable, Hashable {
        /// Speech began; `at` lies before the first energy by the pre-roll, but not before the stream's first sample.
        case speechStarted(at: Int)
        /// No speech for the short pause, which may be the end; `lastSpeech` is the last sample of speech so far.
        case pauseBegan(lastSpeech: Int, detectedAt: Int)
        /// No speech for the settled pause, after `pauseBegan`.
        case pauseSettled(lastSpeech: Int, detectedAt: Int)
        /// Speech went on after `pauseBegan`, perhaps also after `pauseSettled`.
        case speechResumed(at: Int)
        /// Speech is over: its last sample, and the sample at which that was certain.
        case speechEnded(lastSpeech: Int, detectedAt: Int)
        /// What had started was too short to be speech.
        case speechDiscarded(at: Int)
    }

    private enum State: Sendable {
        case silence
        case speech(start: Int, lastSpeech: Int, loudFrames: Int, pause: Pause)
    }

    private enum Pause: Sendable {
        case none, began, settled
    }

    private static let frameLength = 160

    private let configuration: Configuration
    private var state = State.silence
    private var floor = NoiseFloor()
    private var pending: [Float] = []
    private var position = 0
    private var firstPosition: Int?
    private var recentLoud: [Bool] = []
    private var previousSample: Float = 0
    private var highPassed: Float = 0
    private var lowPassed: Float = 0

    /// Makes an end pointer that has heard nothing yet.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Whether speech has begun and has not ended.
    public var isInSpeech: Bool {
        if case .speech = state { true } else { false }
    }

    /// Takes the next sound.
    ///
    /// - Parameters:
    ///   - samples: 16 kHz mono, any number of them; what does not fill 10 ms waits for the next call.
    ///   - start: the stream's index of the first sample; nil when it follows the last call's samples.
    public mutating func process(samples: [Float], at start: Int? = nil) -> [Event] {
        if let start, firstPosition == nil || start != position + pending.count {
            pending = []
            position = start
        }
        if firstPosition == nil { firstPosition = position }
        pending += samples
        var events: [Event] = []
        var offset = 0
        while pending.count - offset >= Self.frameLength {
            let level = level(of: pending[offset..<(offset + Self.frameLength)])
            step(level: level, events: &events)
            position += Self.frameLength
            offset += Self.frameLength
        }
        pending.removeFirst(offset)
        return events
    }

    /// Takes the next sound, 16 kHz mono; see ``process(samples:at:)``.
    public mutating func process(_ buffer: AudioBuffer, at start: Int? = nil) -> [Event] {
        process(samples: buffer.mixedToMono().samples, at: start)
    }

    /// The stream is over: ends speech that still goes on.
    public mutating func finish() -> [Event] {
        guard case .speech(let start, let lastSpeech, let loud, _) = state else { return [] }
        state = .silence
        return [end(start: start, lastSpeech: lastSpeech, loudFrames: loud, at: position + pending.count)]
    }

    private mutating func step(level: Float, events: inout [Event]) {
        let threshold = max(floor.level + configuration.marginOverFloor, configuration.lowestSpeechLevel)
        let loud = floor.isSettled && level > threshold
        floor.observe(level)
        let frameEnd = position + Self.frameLength
        switch state {
        case .silence: lookForOnset(loud: loud, events: &events)
        case .speech(let start, _, let loudFrames, let pause) where loud:
            if pause != .none { events.append(.speechResumed(at: position)) }
            state = .speech(start: start, lastSpeech: frameEnd - 1, loudFrames: loudFrames + 1, pause: .none)
            if frameEnd - start >= samples(configuration.longestSpeech) {
                state = .silence
                events.append(.speechEnded(lastSpeech: frameEnd - 1, detectedAt: frameEnd))
            }
        case .speech(let start, let lastSpeech, let loudFrames, let pause):
            let silence = frameEnd - 1 - lastSpeech
            if silence >= samples(configuration.hangover) {
                state = .silence
                events.append(end(start: start, lastSpeech: lastSpeech, loudFrames: loudFrames, at: frameEnd))
            } else if pause == .began, silence >= samples(configuration.settledPause) {
                state = .speech(start: start, lastSpeech: lastSpeech, loudFrames: loudFrames, pause: .settled)
                events.append(.pauseSettled(lastSpeech: lastSpeech, detectedAt: frameEnd))
            } else if pause == .none, silence >= samples(configuration.shortPause), isLongEnough(loudFrames) {
                state = .speech(start: start, lastSpeech: lastSpeech, loudFrames: loudFrames, pause: .began)
                events.append(.pauseBegan(lastSpeech: lastSpeech, detectedAt: frameEnd))
            }
        }
    }

    private mutating func lookForOnset(loud: Bool, events: inout [Event]) {
        let needed = max(1, samples(configuration.onset) / Self.frameLength)
        recentLoud.append(loud)
        if recentLoud.count > needed + 2 { recentLoud.removeFirst() }
        let loudFrames = recentLoud.count { $0 }
        guard loudFrames >= needed, let first = recentLoud.firstIndex(of: true) else { return }
        let firstEnergy = position - (recentLoud.count - 1 - first) * Self.frameLength
        let start = max(firstPosition ?? 0, firstEnergy - samples(configuration.preRoll))
        recentLoud = []
        state = .speech(
            start: start, lastSpeech: position + Self.frameLength - 1, loudFrames: loudFrames, pause: .none)
        events.append(.speechStarted(at: start))
    }

    private func end(start: Int, lastSpeech: Int, loudFrames: Int, at frame: Int) -> Event {
        isLongEnough(loudFrames)
            ? .speechEnded(lastSpeech: lastSpeech, detectedAt: frame) : .speechDiscarded(at: frame)
    }

    private func isLongEnough(_ loudFrames: Int) -> Bool {
        loudFrames * Self.frameLength >= samples(configuration.shortestSpeech)
    }

    private func samples(_ duration: Duration) -> Int { AudioFormat.speech.frames(in: duration) }

    /// The RMS level in dBFS of the band from about 100 to 1500 Hz, where voices are and hum and hiss are not.
    private mutating func level(of frame: ArraySlice<Float>) -> Float {
        var sum: Float = 0
        for sample in frame {
            let sample = sample.isFinite ? sample : 0
            highPassed = sample - previousSample + 0.96 * highPassed
            previousSample = sample
            lowPassed += 0.45 * (highPassed - lowPassed)
            sum += lowPassed * lowPassed
        }
        let mean = sum / Float(Self.frameLength)
        return mean > 1e-12 ? 10 * log10f(mean) : -120
    }
}
