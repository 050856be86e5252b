// SPDX-License-Identifier: MIT

import AudioDSP
import AudioKitLinux

/// Loudness, true peak and clipping of a stream in its own format.
struct SoundMeasures {
    /// The shortest run of samples of one channel at full scale that counts as clipped; fewer may be a peak that fits.
    static let shortestClip = 3
    /// 32767/32768, the largest positive sample of 16 bits.
    private static let fullScale: Float = 32_767.0 / 32_768

    let format: AudioFormat
    private(set) var frames = 0
    private(set) var clippedSamples = 0
    private var loudness: LoudnessMeter
    private var peaks: TruePeakMeter
    /// For each channel, the length of the present run of samples at full scale, and its sign.
    private var runs: [(length: Int, isPositive: Bool)]

    init(format: AudioFormat) {
        self.format = format
        // The meter needs at least 1 kHz; a recording below that has no speech either.
        loudness = LoudnessMeter(sampleRate: max(1_000, format.sampleRate), channels: format.channels)
        peaks = TruePeakMeter(channels: format.channels)
        runs = [(Int, Bool)](repeating: (0, false), count: format.channels)
    }

    mutating func add(_ buffer: AudioBuffer) {
        frames += buffer.frameCount
        buffer.samples.withUnsafeBufferPointer { samples in
            loudness.add(samples)
            peaks.add(samples)
            countClips(samples)
        }
    }

    /// The integrated loudness in LUFS; nil below the gate of −70 LUFS or 400 ms.
    var integratedLoudness: Double? { finite(loudness.integrated) }
    /// The loudness range in LU; nil before 3 s of sound.
    var loudnessRange: Double? { loudness.maximumShortTerm.isFinite ? finite(loudness.range) : nil }
    /// The true peak in dBTP; nil for digital silence.
    var truePeak: Double? { peaks.peak > 0 ? finite(Double(Decibels.ofAmplitude(peaks.peak))) : nil }
    /// The clipped share of all samples, 0 to 1.
    var clippedShare: Double { frames > 0 ? Double(clippedSamples) / Double(frames * format.channels) : 0 }

    private func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

    private mutating func countClips(_ samples: UnsafeBufferPointer<Float>) {
        var channel = 0
        for sample in samples {
            if abs(sample) >= Self.fullScale {
                let isPositive = sample > 0
                let length = runs[channel].isPositive == isPositive ? runs[channel].length + 1 : 1
                runs[channel] = (length, isPositive)
                clippedSamples += length == Self.shortestClip ? Self.shortestClip : length > Self.shortestClip ? 1 : 0
            } else if runs[channel].length > 0 {
                runs[channel].length = 0
            }
            channel = channel + 1 == format.channels ? 0 : channel + 1
        }
    }
}

/// The part of a stream that is still needed, by the stream's own sample indices.
struct SampleWindow {
    private var samples: [Float] = []
    private var start = 0

    /// The number of stored samples.
    var count: Int { samples.count }

    mutating func append(_ more: [Float]) { samples += more }

    /// Drops the samples before `position`, but only once they are half of the stored ones.
    mutating func drop(before position: Int) {
        let count = min(samples.count, position - start)
        guard count > samples.count / 2 else { return }
        samples.removeFirst(count)
        start += count
    }

    /// The stored samples of `range`, and the index of the first.
    func slice(_ range: Range<Int>) -> (samples: [Float], start: Int) {
        let inside = range.clamped(to: start..<(start + samples.count))
        return (Array(samples[(inside.lowerBound - start)..<(inside.upperBound - start)]), inside.lowerBound)
    }
}
