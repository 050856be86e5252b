// SPDX-License-Identifier: MIT
internal import AudioDSP

/// Frames for a virtual microphone, in order.
protocol FrameSource: AnyObject {
    /// The next `count` frames, interleaved; fewer only at the end.
    func next(_ count: Int) throws(AudioError) -> [Int16]
    /// Skips frames that are not heard.
    func skip(_ count: Int) throws(AudioError)
}

extension FrameSource {
    func skip(_ count: Int) throws(AudioError) { _ = try next(count) }
}

/// A sound file in the card's format.
final class FileFrameSource: FrameSource {
    private let reader: SoundFileReader
    private let format: AudioFormat

    init(path: String, format: AudioFormat) throws(AudioError) {
        reader = try SoundFileReader(path: path)
        self.format = format
    }

    func next(_ count: Int) throws(AudioError) -> [Int16] {
        try reader.readConverted(to: format, frames: count)?.int16Samples() ?? []
    }
}

/// A buffer.
final class BufferFrameSource: FrameSource {
    private let samples: [Int16]
    private let channels: Int
    private var position = 0

    init(_ buffer: AudioBuffer) {
        samples = buffer.int16Samples()
        channels = buffer.format.channels
    }

    func next(_ count: Int) -> [Int16] {
        let end = min(samples.count, position + count * channels)
        defer { position = end }
        return Array(samples[position..<end])
    }
}

/// A function of the frame's index.
final class GeneratorFrameSource: FrameSource {
    private let sample: @Sendable (Int) -> Float
    private let channels: Int
    private var position = 0

    init(channels: Int, _ sample: @escaping @Sendable (Int) -> Float) {
        self.channels = channels
        self.sample = sample
    }

    func next(_ count: Int) -> [Int16] {
        defer { position += count }
        return (0..<count * channels).map { SampleConversion.int16(sample(position + $0 / channels)) }
    }

    // Without making them: that work would delay a late reader further.
    func skip(_ count: Int) { position += count }
}

/// Another source, then noise of ±4 units of the last bit, then the end.
final class TrailingNoiseSource: FrameSource {
    private let source: any FrameSource
    private let channels: Int
    private var left: Int
    private var seed: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(_ source: any FrameSource, frames: Int, channels: Int) {
        self.source = source
        self.channels = channels
        left = frames
    }

    func next(_ count: Int) throws(AudioError) -> [Int16] {
        var samples = try source.next(count)
        let missing = min(left, count - samples.count / channels)
        left -= missing
        for _ in 0..<missing * channels {
            // Xorshift: the same noise on every run.
            seed ^= seed << 13
            seed ^= seed >> 7
            seed ^= seed << 17
            samples.append(Int16(seed % 9) - 4)
        }
        return samples
    }
}
