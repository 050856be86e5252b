// SPDX-License-Identifier: MIT

public import AudioBuffers
import AudioDSP

/// Another synthesizer's voice at another speed and another pitch, for engines that cannot change them by themselves.
///
/// The sound is stretched, then shifted; formants stay. A buffer waits for less than a fifth of a second of the sound after
/// it.
public struct ShapedSynthesizer: SpeechSynthesizer {
    /// The other synthesizer's format.
    public var format: AudioFormat { base.format }
    private let base: any SpeechSynthesizer
    private let rate: @Sendable () -> Double
    private let pitch: Double

    /// A synthesizer over another one.
    ///
    /// - Parameters:
    ///   - rate: Returns the speed as a factor of the voice's own, which each text takes anew; it is limited to 0.5…2.
    ///   - pitch: The fundamental frequency as a factor of the voice's own, limited to 0.5…2.
    public init(_ base: any SpeechSynthesizer, rate: @escaping @Sendable () -> Double = { 1 }, pitch: Double = 1) {
        (self.base, self.rate, self.pitch) = (base, rate, Self.limited(pitch))
    }

    /// See `SpeechSynthesizer`. The stream asks the other one only for what its consumer takes, and ends with its errors.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        let (sound, rate) = (base.synthesize(text), Self.limited(rate()))
        guard rate != 1 || pitch != 1 else { return sound }
        do {
            let shaping = Shaping(
                sound, format: format,
                stretch: try TimeStretch(rate: rate, sampleRate: Double(format.sampleRate), channels: format.channels),
                shift: try PitchShift(factor: pitch, sampleRate: Double(format.sampleRate), channels: format.channels))
            return AsyncThrowingStream(unfolding: { try await shaping.next() })
        } catch {
            return AsyncThrowingStream(unfolding: { throw error })
        }
    }

    private static func limited(_ factor: Double) -> Double { factor.isNaN ? 1 : min(2, max(0.5, factor)) }
}

/// One text's sound on its way through both kernels.
private actor Shaping {
    private var sound: AsyncThrowingStream<AudioBuffer, any Error>.Iterator
    private let format: AudioFormat
    private var stretch: TimeStretch
    private var shift: PitchShift
    private var isOver = false

    init(
        _ sound: AsyncThrowingStream<AudioBuffer, any Error>, format: AudioFormat, stretch: TimeStretch,
        shift: PitchShift
    ) {
        (self.sound, self.format) = (sound.makeAsyncIterator(), format)
        (self.stretch, self.shift) = (stretch, shift)
    }

    /// The next buffer with sound in it; nil at the end.
    func next() async throws -> AudioBuffer? {
        while !isOver {
            var iterator = sound
            let buffer = try await iterator.next(isolation: self)
            sound = iterator
            if Task.isCancelled { break }
            var samples: [Float]
            if let buffer {
                samples = shift.process(stretch.process(buffer.samples))
            } else {
                isOver = true
                samples = shift.process(stretch.finish())
                samples += shift.finish()
            }
            if !samples.isEmpty { return AudioBuffer(samples: samples, format: format) }
        }
        isOver = true
        return nil
    }
}
