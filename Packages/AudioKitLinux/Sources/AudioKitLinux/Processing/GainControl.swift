// SPDX-License-Identifier: MIT
internal import AudioDSP
internal import CSpeexDSP

/// Brings speech to an even level. Values in, values out; not for use from two threads at once.
public protocol GainControl: AnyObject {
    /// The rate; one channel.
    var format: AudioFormat { get }
    /// The number of frames that it processes at once.
    var blockFrames: Int { get }
    /// The number of frames by which sound in the output is later than in the input. `CapturedBuffer.position` of the
    /// output includes it.
    var latencyFrames: Int { get }
    /// The gain at this moment, in decibels.
    var gain: Double { get }

    /// The sound at its new level: whole blocks, the rest waits; nil without a whole block. More than one channel is
    /// mixed to one. Throws `formatNotSupported` for another rate.
    func level(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer?
}

/// SpeexDSP's gain control: it measures loudness during speech, and moves slowly.
public final class SpeexGainControl: GainControl {
    /// The rate; one channel.
    public var format: AudioFormat { preprocessor.format }
    /// The number of frames that it processes at once.
    public var blockFrames: Int { preprocessor.blockFrames }
    /// One block: SpeexDSP overlaps its windows.
    public var latencyFrames: Int { preprocessor.blockFrames }
    /// The gain at this moment, in whole decibels.
    public var gain: Double { Double(preprocessor.get(SPEEX_PREPROCESS_GET_AGC_GAIN)) }

    private let preprocessor: SpeexPreprocessor
    private var cutter: BlockCutter

    /// Makes a gain control for one channel at `rate`.
    ///
    /// `target` is the peak level that loud speech is brought to, in dBFS (−40…−1). `maximumGain` limits the gain for
    /// quiet speech, 0 to 40 dB. Throws `formatNotSupported` for values out of range, and if the system's SpeexDSP was
    /// built without gain control (for fixed-point processors).
    public init(
        rate: Int, target: Double = -6, maximumGain: Int = 24, block: Duration = .milliseconds(10)
    ) throws(AudioError) {
        preprocessor = try SpeexPreprocessor(rate: rate, block: block)
        cutter = BlockCutter(blockFrames: preprocessor.blockFrames, latency: preprocessor.blockFrames)
        let level = Int32((32768 * Decibels.amplitude(Float(target))).rounded())
        guard (-40.0 ... -1.0).contains(target), (0...40).contains(maximumGain),
            preprocessor.set(SPEEX_PREPROCESS_SET_AGC, 1), preprocessor.set(SPEEX_PREPROCESS_SET_AGC_TARGET, level)
        else {
            throw AudioError(
                .formatNotSupported,
                "Gain control needs a target of −40 to −1 dBFS, at most 40 dB of gain, and a SpeexDSP with floating"
                    + " point.")
        }
        preprocessor.set(SPEEX_PREPROCESS_SET_AGC_MAX_GAIN, Int32(maximumGain))
    }

    /// The sound at its new level; see `GainControl.level`. Throws `formatNotSupported` for another rate.
    public func level(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer? {
        try preprocessor.check(piece)
        return cutter.process(piece, format: format) { block, _ in preprocessor.run(block) }
    }
}
