// SPDX-License-Identifier: MIT

/// A vector in one byte a component, with a bound of its error.
///
/// A search reads the codes, a quarter of the vectors' bytes, and computes exactly only the products that could be
/// among the nearest by their bound: `v·q ≤ scale × code·q + error × |v| × |q|` (Cauchy–Schwarz). So its result is that
/// of a search without codes.
enum VectorCode {
    /// Appends the code of a vector that is filled up with zeros.
    ///
    /// - Returns: The scale to multiply the code by; and the length of the code's error as a share of the vector's
    ///   length, with the rounding of both computations.
    static func append(
        _ vector: UnsafeBufferPointer<Float>, norm: Float, to codes: inout [Int8]
    ) -> (scale: Float, error: Float) {
        var largest: Float = 0
        for component in vector { largest = max(largest, abs(component)) }
        let scale = max(largest / 127, .leastNormalMagnitude)
        var rest = 0.0
        for component in vector {
            // To the nearest, halves away from zero. The sum with a half is exact in double precision.
            let quotient = Double(max(-127, min(127, component / scale)))
            let code = Int32(quotient + (quotient < 0 ? -0.5 : 0.5))
            codes.append(Int8(truncatingIfNeeded: code))
            let difference = Double(component) - Double(scale) * Double(code)
            rest += difference * difference
        }
        // Each addition and multiplication in single precision is wrong by at most 2^-24 of its result.
        let rounding = Double(vector.count + 32) * 1.2e-7 * 2
        return (scale, Float((rest.squareRoot() / Double(norm) + rounding) * 1.001))
    }
}
