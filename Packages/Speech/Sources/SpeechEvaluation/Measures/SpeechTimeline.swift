// SPDX-License-Identifier: MIT

import AudioDSP
import VoiceActivity

/// The stretches of speech in a stream of 16 kHz mono, and the levels of speech and background.
///
/// Keeps four bytes for each 10 ms, 1.4 MB for an hour, and no sound.
struct SpeechTimeline {
    static let frameLength = 160
    static let sampleRate = 16_000
    /// Frames nearer than this to speech count neither as speech nor as background: 100 ms.
    private static let guardFrames = 10
    /// Background of fewer frames than this has no level: 200 ms.
    private static let fewestFrames = 20
    /// Speech without a pause is split after this duration.
    static let longestRun = Duration.seconds(25)
    private static let floor: Float = -120

    /// The stretches of speech, as sample indices, in order; stretches split by ``longestRun`` have no gap.
    private(set) var speech: [Range<Int>] = []
    /// The number of samples so far.
    private(set) var length = 0
    private var detector: any VoiceActivityDetector
    private var endpointer: Endpointer
    private var powers: [Float] = []
    private var frame: (sum: Float, count: Int) = (0, 0)

    /// - Parameters:
    ///   - weights: The weights of the Silero network; nil for the spectral detector.
    ///   - pause: The length of the shortest pause.
    init(weights: SileroWeights?, pause: Duration) {
        detector = weights.map { SileroDetector(weights: $0) } ?? SpectralDetector()
        var configuration = weights == nil ? Endpointer.Configuration.spectral : .silero
        configuration.preRoll = .zero
        configuration.minimumSilence = pause
        configuration.shortPause = min(configuration.shortPause, pause)
        configuration.minimumSpeech = .milliseconds(80)
        configuration.longestSpeech = Self.longestRun
        endpointer = Endpointer(configuration: configuration)
    }

    /// True if speech has begun and has not ended, as far as is known.
    var isInSpeech: Bool { endpointer.isInSpeech }

    /// Adds the next samples and returns the new stretches of speech.
    mutating func add(_ samples: [Float]) -> [Range<Int>] {
        length += samples.count
        for sample in samples {
            frame.sum += sample.isFinite ? sample * sample : 0
            frame.count += 1
            if frame.count == Self.frameLength {
                powers.append(frame.sum / Float(Self.frameLength))
                frame = (0, 0)
            }
        }
        return take(endpointer.process(detector.process(samples)))
    }

    /// Ends the stream and returns the last stretches.
    mutating func finish() -> [Range<Int>] {
        take(endpointer.process(detector.finish())) + take(endpointer.finish())
    }

    private mutating func take(_ events: [Endpointer.Event]) -> [Range<Int>] {
        let found = events.compactMap { event -> Range<Int>? in
            guard case .speechEnded(let range, _, _) = event else { return nil }
            let inside = range.clamped(to: 0..<length)
            return inside.isEmpty ? nil : inside
        }
        speech += found
        return found
    }

    /// The gaps between the stretches of speech: sample indices.
    var pauses: [Range<Int>] {
        zip(speech, speech.dropFirst()).filter { $0.upperBound < $1.lowerBound }.map { $0.upperBound..<$1.lowerBound }
    }

    /// `noise`: the level of the frames without speech, in dBFS (−120 at least); nil if there are too few.
    /// `signalToNoise`: the power of speech without the background's, over the background's, in dB (at most 120); nil
    /// without speech or background, or if speech is no louder.
    func levels() -> (noise: Double?, signalToNoise: Double?) {
        var isNear = [Bool](repeating: false, count: powers.count)
        var spoken = (sum: 0.0, count: 0)
        for range in speech {
            let first = range.lowerBound / Self.frameLength
            let end = min(powers.count, (range.upperBound + Self.frameLength - 1) / Self.frameLength)
            for index in max(0, first - Self.guardFrames)..<max(first, min(powers.count, end + Self.guardFrames)) {
                isNear[index] = true
            }
            for index in min(first, end)..<end {
                spoken.sum += Double(powers[index])
                spoken.count += 1
            }
        }
        var background = (sum: 0.0, count: 0)
        for index in powers.indices where !isNear[index] {
            background.sum += Double(powers[index])
            background.count += 1
        }
        guard background.count >= Self.fewestFrames else { return (nil, nil) }
        let noise = background.sum / Double(background.count)
        let level = Double(Decibels.ofPower(Float(noise), floor: Self.floor))
        guard spoken.count > 0 else { return (level, nil) }
        let signal = spoken.sum / Double(spoken.count) - noise
        guard signal > 0 else { return (level, nil) }
        return (level, min(120, Double(Decibels.ofPower(Float(signal), floor: Self.floor)) - level))
    }
}
