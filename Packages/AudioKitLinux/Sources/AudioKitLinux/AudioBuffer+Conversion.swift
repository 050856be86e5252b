// SPDX-License-Identifier: MIT

extension AudioBuffer {
    /// The same sound with another number of channels: mono is copied to every channel, anything else is first mixed
    /// to mono by the mean. The same buffer when the number is equal.
    public func withChannels(_ channels: Int) -> AudioBuffer {
        let from = format.channels
        guard channels != from, from > 0, channels > 0 else { return self }
        let frames = frameCount
        let scale = 1 / Float(from)
        let mixed = [Float](unsafeUninitializedCapacity: frames * channels) { target, count in
            for frame in 0..<frames {
                var sum: Float = 0
                for channel in 0..<from { sum += samples[frame * from + channel] }
                for channel in 0..<channels { target[frame * channels + channel] = sum * scale }
            }
            count = frames * channels
        }
        return AudioBuffer(samples: mixed, format: AudioFormat(sampleRate: format.sampleRate, channels: channels))
    }

    /// The whole buffer in another format: channels first (`withChannels`), then the rate with a `Resampler`. The
    /// length is the duration's to within one frame.
    ///
    /// Throws `formatNotSupported` for a rate that the resampler cannot do.
    public func converted(to target: AudioFormat) throws(AudioError) -> AudioBuffer {
        let mixed = withChannels(target.channels)
        guard mixed.format.sampleRate != target.sampleRate else { return mixed }
        let resampler = try Resampler(
            from: format.sampleRate, to: target.sampleRate, channels: target.channels)
        return AudioBuffer(samples: resampler.process(mixed.samples) + resampler.finish(), format: target)
    }
}
