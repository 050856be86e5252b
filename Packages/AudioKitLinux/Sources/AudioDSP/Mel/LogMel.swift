// SPDX-License-Identifier: MIT
internal import Glibc

/// Log-mel spectra: the input of speech models. An immutable value, shareable; each thread has its own workspace.
public struct LogMel: Sendable {
    /// Samples of a frame: the size of the transform.
    public let frameLength: Int
    /// Samples from the start of a frame to the start of the next.
    public let hop: Int
    /// The sum of the power in each band.
    public let filters: MelFilterBank
    /// Values of a frame's result.
    public var bandCount: Int { filters.bandCount }
    /// Floats of scratch memory for `frame`.
    public var workspaceCount: Int { 2 * frameLength + 2 * plan.binCount }

    private let plan: RealFFT
    private let window: [Float]

    /// The least power that differs from silence: log₁₀ of it is −10.
    public static let floor: Float = 1e-10

    /// Makes a plan. `frameLength` must be a size of `RealFFT` and that of `filters`.
    public init(frameLength: Int, hop: Int, window: Window = .hann, filters: MelFilterBank) {
        precondition(hop > 0 && filters.binCount == frameLength / 2 + 1)
        self.frameLength = frameLength
        self.hop = hop
        self.filters = filters
        plan = RealFFT(size: frameLength)
        self.window = window.weights(frameLength)
    }

    /// The front end of OpenAI's Whisper: 16 kHz, frames of 400 samples every 160 under a periodic Hann window, 80
    /// bands (128 for large-v3) on Slaney's scale with areas of 1.
    public static func whisper(bands: Int = 80) -> LogMel {
        LogMel(
            frameLength: 400, hop: 160,
            filters: MelFilterBank(bands: bands, sampleRate: 16_000, fftSize: 400))
    }

    /// log₁₀ of each band's power in `samples` (`frameLength`), at least −10, into `result` (`bandCount`).
    /// Allocates nothing. Not-a-number in a frame counts as silence in that frame alone.
    public func frame(
        _ samples: UnsafeBufferPointer<Float>, into result: UnsafeMutableBufferPointer<Float>,
        workspace: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(
            samples.count >= frameLength && result.count >= bandCount && workspace.count >= workspaceCount)
        let bins = plan.binCount
        let weighed = UnsafeMutableBufferPointer(rebasing: workspace[0..<frameLength])
        let scratch = UnsafeMutableBufferPointer(rebasing: workspace[frameLength..<2 * frameLength])
        let real = UnsafeMutableBufferPointer(rebasing: workspace[2 * frameLength..<2 * frameLength + bins])
        let imaginary = UnsafeMutableBufferPointer(
            rebasing: workspace[2 * frameLength + bins..<2 * frameLength + 2 * bins])
        window.withUnsafeBufferPointer { Spectrum.weigh(samples, by: $0, into: weighed) }
        plan.forward(UnsafeBufferPointer(weighed), real: real, imaginary: imaginary, workspace: scratch)
        Spectrum.power(real: UnsafeBufferPointer(real), imaginary: UnsafeBufferPointer(imaginary), into: real)
        filters.apply(UnsafeBufferPointer(real), into: result)
        for band in 0..<bandCount {
            let power = result[band]
            // A comparison with not-a-number is false.
            result[band] = power > Self.floor ? log10f(power) : -10
        }
    }

    /// The spectrogram of a whole signal in the layout of Whisper's encoder, but frame after frame (frames × bands):
    /// count / hop centred frames over a signal that is mirrored at both ends; every value more than 8 below the
    /// largest is raised to that; then (x + 4) / 4. Empty for a signal of no more than half a frame.
    public func spectrogram(_ signal: [Float]) -> [Float] {
        let half = frameLength / 2
        guard signal.count > half else { return [] }
        let head = signal[1...half].reversed()
        let tail = signal[(signal.count - 1 - half)..<(signal.count - 1)].reversed()
        let padded = head + signal + tail
        let frames = signal.count / hop
        let bands = bandCount
        var result = [Float](repeating: 0, count: frames * bands)
        result.withUnsafeMutableBufferPointer { result in
            padded.withUnsafeBufferPointer { padded in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: workspaceCount) { workspace in
                    for index in 0..<frames {
                        frame(
                            UnsafeBufferPointer(rebasing: padded[index * hop..<index * hop + frameLength]),
                            into: UnsafeMutableBufferPointer(rebasing: result[index * bands..<(index + 1) * bands]),
                            workspace: workspace)
                    }
                }
            }
            let lowest = (result.max() ?? 0) - 8
            for index in 0..<result.count { result[index] = (max(result[index], lowest) + 4) / 4 }
        }
        return result
    }
}
