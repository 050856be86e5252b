// SPDX-License-Identifier: MIT

/// The lowest and highest sample of a run, and its power.
struct Extent: Sendable {
    private var lowest = Float.infinity
    private var highest = -Float.infinity
    private var level = SampleLevel()

    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        level.add(samples)
        guard let base = samples.baseAddress else { return }
        var low = SIMD8<Float>(repeating: lowest)
        var high = SIMD8<Float>(repeating: highest)
        var index = 0
        // A comparison with not-a-number is false, which leaves it out.
        while index + 8 <= samples.count {
            let values = base.vector8(index)
            low = low.replacing(with: values, where: values .< low)
            high = high.replacing(with: values, where: values .> high)
            index += 8
        }
        while index < samples.count {
            if base[index] < low[0] { low[0] = base[index] }
            if base[index] > high[0] { high[0] = base[index] }
            index += 1
        }
        lowest = low.min()
        highest = high.max()
    }

    var bucket: WaveformPeaks.Bucket {
        level.count > 0
            ? WaveformPeaks.Bucket(minimum: lowest, maximum: highest, rms: level.rms)
            : WaveformPeaks.Bucket(minimum: 0, maximum: 0, rms: 0)
    }
}
