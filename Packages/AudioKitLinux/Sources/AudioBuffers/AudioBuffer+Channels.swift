// SPDX-License-Identifier: MIT
internal import AudioDSP

extension AudioBuffer {
    /// The same sound with another number of channels: mono is copied to every channel, anything else is first mixed
    /// to mono by the mean. The same buffer when the number is equal.
    public func withChannels(_ channels: Int) -> AudioBuffer {
        let from = format.channels
        guard channels != from, from > 0, channels > 0 else { return self }
        // Mono first if the matrix would be too wide.
        guard channels <= 8 || from == 1 else { return withChannels(1).withChannels(channels) }
        let frames = frameCount
        let mixed = [Float](unsafeUninitializedCapacity: frames * channels) { target, count in
            samples.withUnsafeBufferPointer { samples in
                if channels <= 8 {
                    ChannelMatrix.mean(of: from, to: channels).apply(samples, into: target)
                } else {
                    for index in 0..<frames * channels { target[index] = samples[index / channels] }
                }
            }
            count = frames * channels
        }
        return AudioBuffer(samples: mixed, format: AudioFormat(sampleRate: format.sampleRate, channels: channels))
    }
}
