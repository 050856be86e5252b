// SPDX-License-Identifier: MIT
internal import CSpeexDSP

/// Reduces steady noise under speech. Values in, values out; not for use from two threads at once.
public protocol NoiseSuppressor: AnyObject {
    /// The rate; one channel.
    var format: AudioFormat { get }
    /// The number of frames that it processes at once.
    var blockFrames: Int { get }
    /// The number of frames by which sound in the output is later than in the input. `CapturedBuffer.position` of the
    /// output includes it.
    var latencyFrames: Int { get }

    /// The sound with less noise: whole blocks, the rest waits; nil without a whole block. More than one channel is
    /// mixed to one. Throws `formatNotSupported` for another rate.
    func suppress(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer?
}

/// SpeexDSP's noise suppressor: a spectral gain by the estimated ratio of speech to noise (Ephraim and Malah) in Bark
/// bands.
public final class SpeexNoiseSuppressor: NoiseSuppressor {
    /// The rate; one channel.
    public var format: AudioFormat { preprocessor.format }
    /// The number of frames that it processes at once.
    public var blockFrames: Int { preprocessor.blockFrames }
    /// One block: SpeexDSP overlaps its windows.
    public var latencyFrames: Int { preprocessor.blockFrames }

    private let preprocessor: SpeexPreprocessor
    private var cutter: BlockCutter
    /// Kept alive: the preprocessor reads from it.
    private let canceller: SpeexEchoCanceller?

    /// Makes a suppressor for one channel at `rate` that reduces noise by at most `attenuation` decibels (0 to 60).
    /// With the canceller whose output it processes, block by block, it also removes that canceller's residual echo,
    /// and works in the canceller's blocks.
    ///
    /// Throws `formatNotSupported` for values out of range, and for a canceller of another rate.
    public init(
        rate: Int, attenuation: Int = 15, block: Duration = .milliseconds(10),
        after canceller: SpeexEchoCanceller? = nil
    ) throws(AudioError) {
        let length = canceller.map { $0.format.duration(ofFrames: $0.blockFrames) } ?? block
        let preprocessor = try SpeexPreprocessor(rate: rate, block: length)
        guard (0...60).contains(attenuation), canceller.map({ $0.format.sampleRate == rate }) ?? true,
            canceller.map({ $0.blockFrames == preprocessor.blockFrames }) ?? true
        else {
            throw AudioError(
                .formatNotSupported,
                "Noise can be suppressed by 0 to 60 dB, at the rate of the echo canceller before it.")
        }
        self.preprocessor = preprocessor
        self.canceller = canceller
        cutter = BlockCutter(blockFrames: preprocessor.blockFrames, latency: preprocessor.blockFrames)
        preprocessor.set(SPEEX_PREPROCESS_SET_DENOISE, 1)
        preprocessor.set(SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, -Int32(attenuation))
        if let canceller {
            speex_preprocess_ctl(
                preprocessor.state, SPEEX_PREPROCESS_SET_ECHO_STATE, UnsafeMutableRawPointer(canceller.state))
        }
    }

    /// The sound with less noise; see `NoiseSuppressor.suppress`. Throws `formatNotSupported` for another rate.
    public func suppress(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer? {
        try preprocessor.check(piece)
        return cutter.process(piece, format: format) { block, _ in preprocessor.run(block) }
    }
}

extension SpeexPreprocessor {
    /// Throws `formatNotSupported` for another rate.
    func check(_ piece: CapturedBuffer) throws(AudioError) {
        guard piece.buffer.format.sampleRate == format.sampleRate, piece.buffer.format.channels > 0 else {
            throw AudioError(
                .formatNotSupported,
                "This stage runs at \(format.sampleRate) Hz and cannot take \(piece.buffer.format). Convert it first.")
        }
    }
}
