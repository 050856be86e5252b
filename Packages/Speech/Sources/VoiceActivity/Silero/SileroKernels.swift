// SPDX-License-Identifier: MIT

// The kernels of the network over raw memory. All vectorise over outputs, and write `acc += w * x` instead of a fused
// multiply, which without hardware support is a function call.

/// Lanes of eight outputs.
typealias Lanes = SIMD8<Float>

extension LaneTable {
    /// First layer: four columns in, four out, three taps. `input[i]` holds the four columns of channel `i`.
    @inline(__always)
    func fourColumns(_ input: UnsafePointer<SIMD4<Float>>, _ output: UnsafeMutablePointer<Lanes>) {
        weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            for block in 0..<blocks {
                var weight = base + block * inputs
                var sum0 = bias[block], sum1 = sum0, sum2 = sum0, sum3 = sum0
                for channel in 0..<(inputs / 3) {
                    let x = input[channel]
                    let x0 = Lanes(repeating: x[0]), x1 = Lanes(repeating: x[1])
                    let x2 = Lanes(repeating: x[2]), x3 = Lanes(repeating: x[3])
                    let before = weight[0], here = weight[1], after = weight[2]
                    sum0 += here * x0
                    sum1 += before * x0
                    sum0 += after * x1
                    sum1 += here * x1
                    sum2 += before * x1
                    sum1 += after * x2
                    sum2 += here * x2
                    sum3 += before * x2
                    sum2 += after * x3
                    sum3 += here * x3
                    weight += 3
                }
                output[block] = sum0.rectified
                output[blocks + block] = sum1.rectified
                output[2 * blocks + block] = sum2.rectified
                output[3 * blocks + block] = sum3.rectified
            }
        }
    }

    /// Second layer: four columns in, two out, three taps, stride two. Columns follow each other.
    @inline(__always)
    func twoColumns(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Lanes>) {
        let channels = inputs / 3
        weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            for block in 0..<blocks {
                var weight = base + block * inputs
                var sum0 = bias[block], sum1 = sum0
                for channel in 0..<channels {
                    let x1 = Lanes(repeating: input[channels + channel])
                    sum0 += weight[1] * Lanes(repeating: input[channel])
                    sum0 += weight[2] * x1
                    sum1 += weight[0] * x1
                    sum1 += weight[1] * Lanes(repeating: input[2 * channels + channel])
                    sum1 += weight[2] * Lanes(repeating: input[3 * channels + channel])
                    weight += 3
                }
                output[block] = sum0.rectified
                output[blocks + block] = sum1.rectified
            }
        }
    }

    /// Third layer: two columns in, one out; of the three taps the last two meet them.
    @inline(__always)
    func oneColumn(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Lanes>) {
        let channels = inputs / 2
        weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            for block in 0..<blocks {
                var weight = base + block * inputs
                var sum = bias[block]
                for channel in 0..<channels {
                    sum += weight[0] * Lanes(repeating: input[channel])
                    sum += weight[1] * Lanes(repeating: input[channels + channel])
                    weight += 2
                }
                output[block] = sum.rectified
            }
        }
    }

    /// A matrix by a vector, plus the bias; two blocks at a time, so that sums do not wait for each other.
    @inline(__always)
    func product(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Lanes>) {
        weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            for block in stride(from: 0, to: blocks, by: 2) {
                let first = base + block * inputs, second = first + inputs
                var sum0 = bias[block], sum1 = bias[block + 1]
                for index in 0..<inputs {
                    let x = Lanes(repeating: input[index])
                    sum0 += first[index] * x
                    sum1 += second[index] * x
                }
                output[block] = sum0
                output[block + 1] = sum1
            }
        }
    }
}

extension SIMD8<Float> {
    /// The greater of each lane and zero.
    @inline(__always)
    var rectified: Self { replacing(with: 0, where: self .< 0) }

    /// 1/(1 + e⁻ˣ) within 2e-7, after the reduction and polynomial of Cephes' `expf`.
    @inline(__always)
    var sigmoid: Self {
        let x = (-self).clamped(lowerBound: Self(repeating: -87), upperBound: Self(repeating: 87))
        // Adding and subtracting 1.5·2²³ rounds to the nearest whole number.
        let shifted = x * 1.442_695_04 + 12_582_912
        let power = shifted - 12_582_912
        let rest = (x - power * 0.693_359_375) + power * 2.121_944_4e-4
        var sum = Self(repeating: 1.987_569_15e-4)
        sum = sum * rest + 1.398_199_95e-3
        sum = sum * rest + 8.333_451_9e-3
        sum = sum * rest + 4.166_579_6e-2
        sum = sum * rest + 1.666_666_55e-1
        sum = sum * rest + 5.000_000_1e-1
        let fraction = sum * rest * rest + rest + 1
        let exponent = unsafeBitCast(shifted, to: SIMD8<Int32>.self) &<< 23
        let scaled = unsafeBitCast(unsafeBitCast(fraction, to: SIMD8<Int32>.self) &+ exponent, to: Self.self)
        return 1 / (1 + scaled)
    }

    /// The hyperbolic tangent within 5e-7.
    @inline(__always)
    var hyperbolicTangent: Self { 2 * (2 * self).sigmoid - 1 }
}
