// SPDX-License-Identifier: MIT
internal import CSpeexDSP

/// Converts sound from one device's clock to another's of the same nominal rate, by resampling with a ratio that may
/// change from call to call (SpeexDSP's rate fraction).
///
/// SpeexDSP changes its ratio without a step only in fractions of one small denominator, here 1/65,521 (15 millionths).
/// Each call takes the step that keeps the sum right, so that over time the ratio is exact and the sound is never more
/// than a hundredth of a frame off its position. One stream at a time; not for use from two threads at once.
public final class DriftCorrector {
    /// The format on both sides.
    public let format: AudioFormat
    /// The excess of the input's clock rate over the output's, in millionths; clamped to ±10,000. May be changed at any
    /// time: the sound continues without a step.
    public var ppm = 0.0

    /// A prime below 2^16: its fractions are all in lowest terms, and no product in SpeexDSP overflows.
    private static let unit = 65_521
    private let state: OpaquePointer
    /// Frames by which the sum of the steps is behind the sum of the ratios.
    private var behind = 0.0
    private var step = 0

    /// Makes a corrector. Throws `formatNotSupported` for a format that SpeexDSP does not support.
    public init(format: AudioFormat, quality: Int = 5) throws(AudioError) {
        var code: Int32 = 0
        guard format.isPlausible,
            let state = speex_resampler_init(
                UInt32(format.channels), UInt32(format.sampleRate), UInt32(format.sampleRate),
                Int32(min(max(quality, 0), 10)), &code)
        else { throw AudioError(.formatNotSupported, "Sound of \(format) cannot be resampled.") }
        self.format = format
        self.state = state
        speex_resampler_skip_zeros(state)
    }

    deinit { speex_resampler_destroy(state) }

    /// The output frames that `samples` (interleaved, whole frames) make available now.
    public func process(_ samples: [Float]) -> [Float] {
        let channels = format.channels
        let frames = samples.count / channels
        guard frames > 0 else { return [] }
        choose(frames)
        let capacity = frames + frames / 50 + 16
        return [Float](unsafeUninitializedCapacity: capacity * channels) { target, count in
            samples.withUnsafeBufferPointer { source in
                guard let input = source.baseAddress, let output = target.baseAddress else { return }
                var taken = UInt32(frames)
                var made = UInt32(capacity)
                speex_resampler_process_interleaved_float(state, input, &taken, output, &made)
                count = Int(made) * channels
            }
        }
    }

    /// Chooses the ratio for the next `frames`.
    private func choose(_ frames: Int) {
        let wish = min(max(ppm, -10_000), 10_000) * 1e-6
        guard wish != 0 || step != 0 else { return }
        let unit = Double(Self.unit)
        behind += wish * Double(frames)
        var best = Int((behind / Double(frames) * unit).rounded())
        best = min(max(best, -Self.unit / 50), Self.unit / 50)
        // Exactly 1 would not be in lowest terms.
        if best == 0 { best = behind < 0 ? -1 : 1 }
        behind -= Double(best) / unit * Double(frames)
        guard best != step else { return }
        step = best
        let rate = UInt32(format.sampleRate)
        speex_resampler_set_rate_frac(state, UInt32(Self.unit + best), UInt32(Self.unit), rate, rate)
    }
}
