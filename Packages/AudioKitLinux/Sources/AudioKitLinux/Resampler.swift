// SPDX-License-Identifier: MIT
internal import CSpeexDSP

/// Changes the sample rate of a stream, in parts, with SpeexDSP's windowed-sinc filter.
///
/// The filter's delay is compensated: output frame *n* has the time of input frame *n* × from ÷ to. The output is the
/// same however the input is cut into parts, and after `finish()` it is as long as the input to within one frame. One
/// stream at a time; not for use from two threads at once.
public final class Resampler {
    /// Input frames per second.
    public let inputRate: Int
    /// Output frames per second.
    public let outputRate: Int
    /// Samples per frame, interleaved.
    public let channels: Int

    private let state: OpaquePointer
    private var framesIn = 0
    private var framesOut = 0

    /// Makes a resampler. `quality` is SpeexDSP's, 0…10; 5 loses 0.2 dB at 7 kHz (48 → 16 kHz) and keeps aliases below
    /// −100 dB.
    ///
    /// Throws `formatNotSupported` when a rate is not between 1 Hz and 1 MHz or there are no channels.
    public init(from inputRate: Int, to outputRate: Int, channels: Int = 1, quality: Int = 5) throws(AudioError) {
        let isPossible =
            AudioFormat(sampleRate: inputRate, channels: channels).isPlausible
            && AudioFormat(sampleRate: outputRate, channels: channels).isPlausible
        var code: Int32 = 0
        guard isPossible,
            let state = speex_resampler_init(
                UInt32(channels), UInt32(inputRate), UInt32(outputRate), Int32(min(max(quality, 0), 10)), &code)
        else {
            throw AudioError(
                .formatNotSupported, "Sound at \(inputRate) Hz cannot be changed to \(outputRate) Hz.")
        }
        self.state = state
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channels = channels
        speex_resampler_skip_zeros(state)
    }

    deinit { speex_resampler_destroy(state) }

    /// The output frames that `samples` (interleaved, whole frames) make available now; may be empty.
    public func process(_ samples: [Float]) -> [Float] {
        let frames = samples.count / channels
        framesIn += frames
        let output = run(samples, frames: frames)
        framesOut += output.count / channels
        return output
    }

    /// The rest of the output from the filter's memory. Afterwards the resampler starts a new stream.
    public func finish() -> [Float] {
        let expected = (framesIn * outputRate + inputRate / 2) / inputRate
        var rest: [Float] = []
        let missing = max(0, expected - framesOut)
        let silence = [Float](repeating: 0, count: 256 * channels)
        // The filter's memory is finite: 64 rounds are far more than any quality and ratio need.
        var rounds = 0
        while rest.count < missing * channels, rounds < 64 + missing * inputRate / outputRate / 256 {
            rest += run(silence, frames: 256)
            rounds += 1
        }
        framesIn = 0
        framesOut = 0
        speex_resampler_reset_mem(state)
        speex_resampler_skip_zeros(state)
        return Array(rest.prefix(missing * channels))
    }

    private func run(_ samples: [Float], frames: Int) -> [Float] {
        guard frames > 0 else { return [] }
        let capacity = frames * outputRate / inputRate + 16
        return [Float](unsafeUninitializedCapacity: capacity * channels) { target, count in
            samples.withUnsafeBufferPointer { source in
                guard let input = source.baseAddress, let output = target.baseAddress else { return }
                var done = 0
                var made = 0
                while done < frames, made < capacity {
                    var inputLength = UInt32(min(frames - done, 1 << 20))
                    var outputLength = UInt32(min(capacity - made, 1 << 20))
                    let code = speex_resampler_process_interleaved_float(
                        state, input + done * channels, &inputLength, output + made * channels, &outputLength)
                    // Only a programming error causes a failure here; the break keeps the loop finite all the same.
                    if code != 0 || (inputLength == 0 && outputLength == 0) { break }
                    done += Int(inputLength)
                    made += Int(outputLength)
                }
                count = made * channels
            }
        }
    }
}
