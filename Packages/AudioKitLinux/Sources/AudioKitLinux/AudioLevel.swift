// SPDX-License-Identifier: MIT
internal import AudioDSP

/// How loud a buffer is, over all its channels together.
///
/// 0 dBFS is a sample of 1.0, so a full-scale sine has a peak of 0 and an RMS of −3.01 dBFS.
public struct AudioLevel: Sendable, Hashable {
    /// The lowest level reported, also for digital silence and an empty buffer: −120 dBFS.
    public static let floor: Float = -120

    /// The root mean square in dBFS, −120 or more. Not weighted for the ear.
    public let rms: Float
    /// The largest magnitude in dBFS, −120 or more; above 0 when samples lie outside −1…1.
    public let peak: Float
    /// How many samples reach 32767/32768 of full scale or more.
    public let clippedSamples: Int

    /// Measures `buffer`. Samples that are not numbers are left out.
    public init(of buffer: AudioBuffer) {
        var sum = 0.0
        var largest: Float = 0
        var clipped = 0
        var count = 0
        buffer.samples.withUnsafeBufferPointer { samples in
            for sample in samples where sample == sample {
                let magnitude = abs(sample)
                sum += Double(sample) * Double(sample)
                largest = max(largest, magnitude)
                if magnitude >= 32767.0 / 32768.0 { clipped += 1 }
                count += 1
            }
        }
        rms = Decibels.ofAmplitude(count > 0 ? Float((sum / Double(count)).squareRoot()) : 0, floor: Self.floor)
        peak = Decibels.ofAmplitude(largest, floor: Self.floor)
        clippedSamples = clipped
    }
}
