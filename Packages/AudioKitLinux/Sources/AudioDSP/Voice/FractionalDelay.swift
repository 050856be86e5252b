// SPDX-License-Identifier: MIT
internal import Glibc

/// Reads samples between samples, by a sinc of 8 taps under a Hann window in 64 phases.
enum FractionalDelay {
    static let taps = 8
    private static let phases = 64

    private static let table: [SIMD8<Float>] = (0...phases).map { phase in
        let offset = Double(phase) / Double(phases)
        var weights = SIMD8<Float>(repeating: 0)
        for tap in 0..<taps {
            let x = Double(tap - 3) - offset
            let sinc = abs(x) < 1e-9 ? 1 : sin(.pi * x) / (.pi * x)
            weights[tap] = Float(sinc * (0.5 + 0.5 * cos(.pi * x / 4)))
        }
        return weights / weights.sum()
    }

    /// The weights of the samples −3…4 for the value at `fraction`, 0..<1, after sample 0.
    @inline(__always)
    static func weights(_ fraction: Double) -> SIMD8<Float> {
        table[min(phases, max(0, Int((fraction * Double(phases)).rounded())))]
    }
}
