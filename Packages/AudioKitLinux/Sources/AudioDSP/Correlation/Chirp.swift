// SPDX-License-Identifier: MIT
internal import Glibc

/// A tone that glides from one frequency to another; it can be located exactly even in a loud room's recording.
public enum Chirp {
    /// The path of the frequency over time.
    public enum Sweep: Sendable, Hashable, CaseIterable {
        /// By equal steps: all frequencies equally long.
        case linear
        /// By equal factors: all octaves equally long.
        case exponential
    }

    /// `frames` samples from `frequencies.lowerBound` to `upperBound` hertz (both above 0, as the rate), with an amplitude of
    /// `amplitude` and a fade along a quarter sine over the first and last twentieth.
    public static func samples(
        _ frames: Int, frequencies: ClosedRange<Double> = 500...6_000, sampleRate: Double, amplitude: Float = 0.5,
        sweep: Sweep = .linear
    ) -> [Float] {
        precondition(sampleRate > 0 && frequencies.lowerBound > 0)
        let (low, high) = (frequencies.lowerBound, frequencies.upperBound)
        let length = Double(max(1, frames)) / sampleRate
        let fade = max(1, frames / 20)
        let rate = log(high / low)
        return (0..<max(0, frames)).map { index in
            let time = Double(index) / sampleRate
            let turns: Double
            switch sweep {
            case .exponential where rate > 0: turns = low * length / rate * (exp(rate * time / length) - 1)
            default: turns = low * time + (high - low) * time * time / (2 * length)
            }
            let edge = Double(min(index, frames - 1 - index, fade)) / Double(fade)
            return amplitude * Float(sin(2 * .pi * (turns - turns.rounded(.down))) * sin(edge * .pi / 2))
        }
    }
}
