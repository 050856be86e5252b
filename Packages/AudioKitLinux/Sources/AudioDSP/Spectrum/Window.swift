// SPDX-License-Identifier: MIT
internal import Glibc

/// Weights that let a piece of a signal fade in and out before it is transformed.
public enum Window: Sendable, Hashable, CaseIterable {
    /// 0.5 − 0.5·cos: nothing at the ends, side lobes that fall fast. The usual choice.
    case hann
    /// 0.54 − 0.46·cos: 0.08 at the ends, the first side lobe at −43 dB.
    case hamming
    /// 1 throughout.
    case rectangular

    /// The `count` weights. A periodic window (the default) is for transforms and overlapping pieces: its period is
    /// `count`, as in PyTorch and in SciPy's `sym=False`. A symmetric one ends with the weight that it begins with.
    public func weights(_ count: Int, isPeriodic: Bool = true) -> [Float] {
        guard count > 1 else { return [Float](repeating: 1, count: max(0, count)) }
        let period = Double(isPeriodic ? count : count - 1)
        return (0..<count).map { index in
            let turn = cos(2 * .pi * Double(index) / period)
            return switch self {
            case .hann: Float(0.5 - 0.5 * turn)
            case .hamming: Float(0.54 - 0.46 * turn)
            case .rectangular: 1
            }
        }
    }
}
