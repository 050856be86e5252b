// SPDX-License-Identifier: MIT
internal import AudioDSP

/// The level of a buffer, over all its channels together.
///
/// 0 dBFS is a sample of 1.0, so a full-scale sine has a peak of 0 and an RMS of −3.01 dBFS.
public struct AudioLevel: Sendable, Hashable {
    /// The lowest level reported, also for digital silence and an empty buffer: −120 dBFS.
    public static let floor: Float = -120

    /// The root mean square in dBFS, −120 or more. Not weighted for the ear.
    public let rms: Float
    /// The largest magnitude in dBFS, −120 or more; above 0 when samples lie outside −1…1.
    public let peak: Float
    /// The number of samples at 32767/32768 of full scale or more.
    public let clippedSamples: Int

    /// Measures `buffer`. Samples that are not numbers are left out.
    public init(of buffer: AudioBuffer) {
        let level = buffer.samples.withUnsafeBufferPointer { SampleLevel(of: $0) }
        rms = Decibels.ofAmplitude(level.rms, floor: Self.floor)
        peak = Decibels.ofAmplitude(level.peak, floor: Self.floor)
        clippedSamples = level.clipped
    }
}
