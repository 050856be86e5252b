// SPDX-License-Identifier: MIT
internal import AudioDSP

/// A buffer of sound: interleaved samples in −1…1 and their format.
public struct AudioBuffer: Sendable, Equatable {
    /// The samples, interleaved, frames × channels, full scale at −1 and 1. Values outside are legal until they are
    /// converted to integers, which clamps them.
    public var samples: [Float]
    /// The rate and the number of channels.
    public let format: AudioFormat

    /// Makes a buffer of `samples`, interleaved, frames × channels.
    public init(samples: [Float], format: AudioFormat) {
        self.samples = samples
        self.format = format
    }

    /// Makes a buffer from 16-bit samples, interleaved; −32768 becomes −1 and `int16Samples()` gives back the same.
    public init(int16 samples: some Collection<Int16>, format: AudioFormat) {
        self.init(samples: samples.map { Float($0) * (1 / 32768) }, format: format)
    }

    /// Makes a buffer of digital silence, `frames` long.
    public init(silentFrames frames: Int, format: AudioFormat) {
        self.init(samples: [Float](repeating: 0, count: max(0, frames) * format.channels), format: format)
    }

    /// The number of whole frames.
    public var frameCount: Int { format.channels > 0 ? samples.count / format.channels : 0 }

    /// The duration of the buffer.
    public var duration: Duration { format.duration(ofFrames: frameCount) }

    /// The samples as 16-bit integers: multiplied by 32768, rounded to the nearest, clamped. Not-a-number becomes 0.
    public func int16Samples() -> [Int16] {
        [Int16](unsafeUninitializedCapacity: samples.count) { target, count in
            samples.withUnsafeBufferPointer { SampleConversion.toInt16($0, into: target) }
            count = samples.count
        }
    }

    /// The mean of the channels as a one-channel buffer of the same rate; the buffer itself when it is mono.
    public func mixedToMono() -> AudioBuffer {
        guard format.channels > 1 else { return self }
        return withChannels(1)
    }

    /// The frames of `range` (frame indices within the buffer; clamped to it) as a buffer of their own.
    public func frames(_ range: Range<Int>) -> AudioBuffer {
        let clamped = range.clamped(to: 0..<frameCount)
        let first = clamped.lowerBound * format.channels
        let end = clamped.upperBound * format.channels
        return AudioBuffer(samples: Array(samples[first..<end]), format: format)
    }
}
