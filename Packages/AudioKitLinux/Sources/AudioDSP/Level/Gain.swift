// SPDX-License-Identifier: MIT

/// Gain, mixing and clipping: kernels over memory that the caller owns. Units are linear: 1 is unchanged.
public enum Gain {
    /// Multiplies `samples` by `gain`.
    public static func apply(_ gain: Float, to samples: UnsafeMutableBufferPointer<Float>) {
        guard let base = samples.baseAddress else { return }
        var index = 0
        while index + 8 <= samples.count {
            base.store(base.vector8(index) * gain, index)
            index += 8
        }
        while index < samples.count {
            base[index] *= gain
            index += 1
        }
    }

    /// Adds `source` × `gain` to `target`, as many samples as both hold. The sum may pass full scale: see `clip`.
    public static func mix(
        _ source: UnsafeBufferPointer<Float>, gain: Float = 1, into target: UnsafeMutableBufferPointer<Float>
    ) {
        let count = min(source.count, target.count)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var index = 0
        while index + 8 <= count {
            target.store(target.vector8(index) + source.vector8(index) * gain, index)
            index += 8
        }
        while index < count {
            target[index] += source[index] * gain
            index += 1
        }
    }

    /// Brings `samples` into −`limit`…`limit`; not-a-number becomes 0.
    public static func clip(_ samples: UnsafeMutableBufferPointer<Float>, limit: Float = 1) {
        guard let base = samples.baseAddress else { return }
        var index = 0
        while index + 4 <= samples.count {
            base.store(clipped(base.vector(index), limit), index)
            index += 4
        }
        while index < samples.count {
            base[index] = clipped(SIMD4(repeating: base[index]), limit)[0]
            index += 1
        }
    }

    @inline(__always)
    private static func clipped(_ samples: SIMD4<Float>, _ limit: Float) -> SIMD4<Float> {
        samples.replacing(with: 0, where: samples .!= samples)
            .replacing(with: limit, where: samples .> limit)
            .replacing(with: -limit, where: samples .< -limit)
    }
}
