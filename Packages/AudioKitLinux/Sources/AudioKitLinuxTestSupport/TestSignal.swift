// SPDX-License-Identifier: MIT
public import AudioKitLinux
import Foundation

/// Signals that tests can recognise.
public enum TestSignal {
    /// Pseudo-random 16-bit samples without a zero, the same for the same seed.
    public static func noise(frames: Int, format: AudioFormat = .speech, seed: UInt64) -> AudioBuffer {
        var state = seed
        let samples = (0..<frames * format.channels).map { _ -> Int16 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(truncatingIfNeeded: state >> 40) | 1
        }
        return AudioBuffer(int16: samples, format: format)
    }

    /// A sine of `hertz` with a peak of `amplitude`, on every channel.
    public static func sine(
        _ hertz: Double, amplitude: Double = 0.5, frames: Int, format: AudioFormat = .speech
    ) -> AudioBuffer {
        var samples: [Float] = []
        samples.reserveCapacity(frames * format.channels)
        for frame in 0..<frames {
            let value = Float(amplitude * sin(2 * .pi * hertz * Double(frame) / Double(format.sampleRate)))
            for _ in 0..<format.channels { samples.append(value) }
        }
        return AudioBuffer(samples: samples, format: format)
    }

    /// The amplitude of the sine of `hertz` in mono samples.
    public static func amplitude(of hertz: Double, in samples: some Collection<Float>, rate: Int) -> Double {
        var real = 0.0
        var imaginary = 0.0
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * hertz * Double(index) / Double(rate)
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }
}
