// SPDX-License-Identifier: MIT
internal import AudioDSP
internal import CSpeexDSP

/// One of SpeexDSP's preprocessors, over blocks of one length, with only the requested features enabled.
final class SpeexPreprocessor {
    let state: OpaquePointer
    let format: AudioFormat
    let blockFrames: Int
    private var block: [Int16]

    init(rate: Int, block: Duration) throws(AudioError) {
        let format = AudioFormat(sampleRate: rate)
        let frames = format.isPlausible ? format.frames(in: block) : 0
        guard (8_000...96_000).contains(rate), (32...8_192).contains(frames),
            let state = speex_preprocess_state_init(Int32(frames), Int32(rate))
        else {
            throw AudioError(
                .formatNotSupported,
                "No noise suppression or gain control for \(rate) Hz in blocks of \(block): use 8 to 96 kHz and blocks"
                    + " of 10 or 20 ms.")
        }
        self.state = state
        self.format = format
        blockFrames = frames
        self.block = [Int16](repeating: 0, count: frames)
        set(SPEEX_PREPROCESS_SET_DENOISE, 0)
        set(SPEEX_PREPROCESS_SET_AGC, 0)
        set(SPEEX_PREPROCESS_SET_VAD, 0)
        set(SPEEX_PREPROCESS_SET_DEREVERB, 0)
    }

    deinit { speex_preprocess_state_destroy(state) }

    @discardableResult
    func set(_ request: Int32, _ value: Int32) -> Bool {
        var value = value
        return speex_preprocess_ctl(state, request, &value) == 0
    }

    func get(_ request: Int32) -> Int32 {
        var value: Int32 = 0
        speex_preprocess_ctl(state, request, &value)
        return value
    }

    func run(_ samples: [Float]) -> [Float] {
        samples.withUnsafeBufferPointer { source in
            block.withUnsafeMutableBufferPointer { SampleConversion.toInt16(source, into: $0) }
        }
        speex_preprocess_run(state, &block)
        return block.map { Float($0) * (1 / 32768) }
    }
}
