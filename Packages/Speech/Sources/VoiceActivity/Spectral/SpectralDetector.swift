// SPDX-License-Identifier: MIT

internal import Glibc

/// A statistical detector that needs no weights file: six measures of 10 ms of 16 kHz sound, averaged and weighed.
///
/// The measures are the level of the sound over the noise (over all, and in the six bands where it is highest), its
/// periodicity, the flatness of its spectrum before and after division by the noise's, and the position of its level
/// between floor and top. Each is averaged over 70 ms around the frame and over 270 ms that end 60 ms after it; a
/// logistic regression makes a probability of the twelve numbers. `Scripts/bench.d/vad-set/tune.py` finds the weights.
///
/// A frame is known 81 ms after its beginning was heard, and 0.5 is near the best threshold. The first 120 ms of a
/// stream are taken as noise, and a new noise becomes part of the floor within two to three seconds.
public struct SpectralDetector: VoiceActivityDetector, Sendable {
    /// 16 kHz.
    public static let sampleRate = 16_000

    private static let frameLength = 160
    /// The time by which the window begins before its frame, and ends after it, in samples.
    private static let lead = (BandSpectrum.window - frameLength) / 2

    private var spectrum = BandSpectrum()
    private var stream = Stream()

    /// The state of one stream.
    private struct Stream: Sendable {
        var noise = BandNoise()
        var range = LevelRange()
        var sound = [Float](repeating: 0, count: lead)
        var heard = 0
        var average = MeasureAverage()
    }

    /// Makes a detector for one stream.
    public init() {}

    /// See ``VoiceActivityDetector``.
    public mutating func process(_ samples: [Float]) -> [Float] {
        stream.heard += samples.count
        return take(samples)
    }

    /// See ``VoiceActivityDetector``.
    public mutating func finish() -> [Float] {
        let frames = (stream.heard + Self.frameLength / 2) / Self.frameLength
        defer { reset() }
        var result: [Float] = []
        let silence = [Float](repeating: 0, count: Self.frameLength)
        while stream.average.measured < frames { result += take(silence) }
        return result + stream.average.finish(frames: frames)
    }

    /// See ``VoiceActivityDetector``.
    public mutating func reset() { stream = Stream() }

    private mutating func take(_ samples: [Float]) -> [Float] {
        stream.sound.reserveCapacity(stream.sound.count + samples.count)
        for sample in samples { stream.sound.append(sample.clippedSample) }
        var result: [Float] = []
        var start = 0
        while stream.sound.count - start >= BandSpectrum.window {
            spectrum.analyze(stream.sound[start..<(start + BandSpectrum.window)])
            if let probability = stream.average.append(measure()) { result.append(probability) }
            start += Self.frameLength
        }
        stream.sound.removeFirst(start)
        return result
    }

    /// The six measures, in the order of ``MeasureAverage``'s weights.
    private mutating func measure() -> SIMD8<Float> {
        let observed = spectrum.energies
        stream.noise.observe(observed)
        var greatest = LargestValues()
        var sumOfRatios: Float = 0, sumOfLogRatios: Float = 0, sumOfLogs: Float = 0, sum: Float = 0
        var low: Float = 0, lowNoise: Float = 0
        for band in observed.indices {
            let ratio = max(observed[band] / stream.noise.energies[band], 0.3)
            let logRatio = logf(ratio)
            greatest.insert(logRatio)
            sumOfRatios += ratio
            sumOfLogRatios += logRatio
            sumOfLogs += logf(observed[band])
            sum += observed[band]
            // Up to 4 kHz.
            if band < 18 {
                low += observed[band]
                lowNoise += stream.noise.energies[band]
            }
        }
        let count = Float(BandSpectrum.bands)
        return SIMD8(
            logf(low / lowNoise), greatest.mean, spectrum.harmonicity, sumOfLogs / count - logf(sum / count),
            sumOfLogRatios / count - logf(sumOfRatios / count), stream.range.place(of: low), 0, 0)
    }
}

/// The six greatest of some numbers.
private struct LargestValues {
    private static let count = 6
    private var values = SIMD8<Float>(repeating: -.infinity)

    var mean: Float {
        var sum: Float = 0
        for place in 0..<Self.count { sum += values[place] }
        return sum / Float(Self.count)
    }

    mutating func insert(_ value: Float) {
        var place = Self.count - 1
        guard value > values[place] else { return }
        while place > 0, values[place - 1] < value {
            values[place] = values[place - 1]
            place -= 1
        }
        values[place] = value
    }
}
