// SPDX-License-Identifier: MIT

import AudioKitLinux

/// Resamples a stream of buffers without seams.
struct FormatConverter {
    private let target: AudioFormat
    private let resampler: Resampler?

    init(from source: AudioFormat, to target: AudioFormat) throws {
        self.target = target
        resampler =
            source.sampleRate == target.sampleRate
            ? nil : try Resampler(from: source.sampleRate, to: target.sampleRate, channels: target.channels)
    }

    /// The sound that is ready now, if any.
    mutating func convert(_ buffer: AudioBuffer) -> AudioBuffer? {
        let channels = buffer.withChannels(target.channels)
        guard let resampler else { return channels.frameCount > 0 ? channels : nil }
        return ready(resampler.process(channels.samples))
    }

    /// Returns the rest of the sound.
    mutating func finish() -> AudioBuffer? {
        resampler.flatMap { ready($0.finish()) }
    }

    private func ready(_ samples: [Float]) -> AudioBuffer? {
        samples.isEmpty ? nil : AudioBuffer(samples: samples, format: target)
    }
}
