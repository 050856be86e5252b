// SPDX-License-Identifier: MIT

/// A vector in one byte a component, and how wrong that is at most.
///
/// A search reads the codes, a quarter of the vectors' bytes, and computes exactly only what could be among the nearest by
/// its bound: `v·q ≤ scale × code·q + error × |v| × |q|` (Cauchy–Schwarz). So it finds what a search without codes finds.
struct VectorCode: Equatable {
    let scale: Float
    /// The length of what the code leaves out, as a share of the vector's length, and the rounding of both computations.
    let error: Float
    let code: [Int8]

    /// The code of a vector that is filled up with zeros.
    init(_ vector: UnsafeBufferPointer<Float>, norm: Float) {
        let largest = vector.reduce(0) { max($0, abs($1)) }
        let scale = max(largest / 127, .leastNormalMagnitude)
        code = vector.map { Int8(max(-127, min(127, ($0 / scale).rounded()))) }
        let rest = zip(vector, code).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(scale) * Double(pair.1)
            return sum + difference * difference
        }
        self.scale = scale
        // Each addition and multiplication in single precision is wrong by at most 2^-24 of its result.
        let rounding = Double(vector.count + 32) * 1.2e-7 * 2
        error = Float((rest.squareRoot() / Double(norm) + rounding) * 1.001)
    }
}
