// SPDX-License-Identifier: MIT

/// Averages the measures of frames over a short and a long time and weighs them: the last step of `SpectralDetector`.
struct MeasureAverage: Sendable {
    /// The numbers of frames before and after a frame that are averaged with it.
    private static let short = (before: 3, after: 3), long = (before: 20, after: 6)

    // From Scripts/bench.d/vad-set/tune.py.
    private static let shortWeights = SIMD8<Float>(
        0.48516, -0.060759, 5.5939, -0.01854, -2.4082, -1.9209, 0, 0)
    private static let longWeights = SIMD8<Float>(
        -0.19389, -0.099406, 5.2554, 1.1838, -1.2991, 8.1424, 0, 0)
    private static let bias: Float = -4.8194

    /// The last frames, as many as the long average needs.
    private var frames: [SIMD8<Float>] = []
    /// The number of frames so far.
    private(set) var measured = 0
    private var told = 0

    /// Adds the measures of the next frame; returns the probability of the frame that lies 60 ms before it.
    mutating func append(_ measures: SIMD8<Float>) -> Float? {
        frames.append(measures)
        measured += 1
        if frames.count > Self.long.before + 1 + Self.long.after { frames.removeFirst() }
        guard measured - told > Self.long.after else { return nil }
        return next()
    }

    /// The remaining frames; `frames` is the number of all.
    mutating func finish(frames count: Int) -> [Float] {
        var result: [Float] = []
        while told < count { result.append(next()) }
        return result
    }

    private mutating func next() -> Float {
        let position = told - (measured - frames.count)
        told += 1
        let logit =
            Self.bias + (mean(around: position, Self.short) * Self.shortWeights).sum()
            + (mean(around: position, Self.long) * Self.longWeights).sum()
        return SIMD8(repeating: logit).sigmoid[0]
    }

    /// The mean of the stored frames around a position, which are fewer at the ends of a stream.
    private func mean(around position: Int, _ reach: (before: Int, after: Int)) -> SIMD8<Float> {
        let range = max(0, position - reach.before)..<min(frames.count, position + reach.after + 1)
        var sum = SIMD8<Float>.zero
        for index in range { sum += frames[index] }
        return sum / Float(range.count)
    }
}
