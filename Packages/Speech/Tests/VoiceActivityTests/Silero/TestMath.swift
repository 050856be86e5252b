// SPDX-License-Identifier: MIT
import Glibc

/// The C library's functions, as the oracle.
enum TestMath {
    /// The cosine of a number of turns.
    static func cosine(_ turns: Double) -> Double { cos(2 * .pi * turns) }
    static func sigmoid(_ x: Float) -> Float { Float(1 / (1 + exp(-Double(x)))) }
    static func hyperbolicTangent(_ x: Float) -> Float { Float(tanh(Double(x))) }
}
