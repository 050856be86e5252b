// SPDX-License-Identifier: MIT

extension AudioBuffer {
    /// The whole buffer in another format: channels first (`withChannels`), then the rate with a `Resampler`. The
    /// length is the duration's to within one frame.
    ///
    /// Throws `formatNotSupported` for a rate that the resampler cannot convert.
    public func converted(to target: AudioFormat) throws(AudioError) -> AudioBuffer {
        let mixed = withChannels(target.channels)
        guard mixed.format.sampleRate != target.sampleRate else { return mixed }
        let resampler = try Resampler(
            from: format.sampleRate, to: target.sampleRate, channels: target.channels)
        return AudioBuffer(samples: resampler.process(mixed.samples) + resampler.finish(), format: target)
    }
}
