// SPDX-License-Identifier: MIT

/// A gain that moves from one value to another over a number of frames, without a click, and then stays.
///
/// The gain of frame n depends on n alone, so the result is the same however the stream is cut. Allocates nothing.
public struct GainRamp: Sendable, Hashable {
    /// The path from one gain to the other.
    public enum Curve: Sendable, Hashable, CaseIterable {
        /// In equal steps. Two linear fades of equal signals add up to 1.
        case linear
        /// The square of the gain moves along a sine. Two such fades of unlike signals keep the power the same.
        case equalPower
    }

    /// The gain at the first frame.
    public let start: Float
    /// The gain after `frames`.
    public let end: Float
    /// The length of the ramp in frames. With 0 the gain is `end` at once.
    public let frames: Int
    /// The path between `start` and `end`.
    public let curve: Curve
    /// Frames already played; stops at `frames`.
    public private(set) var position = 0

    /// Makes a ramp of linear gains, 0 or more for `equalPower`. 5 to 10 ms are enough not to click.
    public init(from start: Float, to end: Float, frames: Int, curve: Curve = .linear) {
        self.start = start
        self.end = end
        self.frames = max(0, frames)
        self.curve = curve
    }

    /// True once the gain has reached `end`.
    public var isFinished: Bool { position >= frames }
    /// The gain of the next frame.
    public var gain: Float { gains(SIMD4(repeating: Float(position)))[0] }

    /// Multiplies `samples` (interleaved, frames × `channels`, at least one; whole frames) and advances.
    public mutating func apply(to samples: UnsafeMutableBufferPointer<Float>, channels: Int = 1) {
        precondition(channels > 0)
        guard let base = samples.baseAddress else { return }
        let total = samples.count / channels
        let moving = min(total, max(0, frames - position))
        var index = 0
        if channels <= 2 {
            // Four samples are four frames, or two of two channels.
            let lanes: SIMD4<Float> = channels == 1 ? SIMD4(0, 1, 2, 3) : SIMD4(0, 0, 1, 1)
            var frame = position
            while index + 4 <= moving * channels {
                let at = SIMD4<Float>(repeating: Float(frame)) + lanes
                base.store(base.vector(index) * gains(at), index)
                index += 4
                frame += channels == 1 ? 4 : 2
            }
        }
        while index < moving * channels {
            let gain = gains(SIMD4(repeating: Float(position + index / channels)))[0]
            for channel in 0..<channels { base[index + channel] *= gain }
            index += channels
        }
        position += moving
        if moving < total, end != 1 {
            Gain.apply(end, to: UnsafeMutableBufferPointer(rebasing: samples[index..<total * channels]))
        }
    }

    @inline(__always)
    private func gains(_ at: SIMD4<Float>) -> SIMD4<Float> {
        guard frames > 0 else { return SIMD4(repeating: end) }
        let way = at * (1 / Float(frames))
        let here: SIMD4<Float>
        switch curve {
        case .linear:
            here = way * (end - start) + start
        case .equalPower:
            // sin²(πt/2) = (1 + sin(π(t − ½))) / 2; the series' error is below 4·10⁻⁶ within a quarter turn.
            let angle = (way - 0.5) * Float.pi
            let square = angle * angle
            let sine =
                angle
                * (1 + square
                    * (-0.166_666_67 + square * (8.333_333e-3 + square * (-1.984_127e-4 + square * 2.755_73e-6))))
            let share = (sine + 1) * 0.5
            let power = share * (end * end - start * start) + start * start
            here = power.replacing(with: 0, where: power .< 0).squareRoot()
        }
        return here.replacing(with: start, where: way .<= 0).replacing(with: end, where: at .>= Float(frames))
    }
}
