// SPDX-License-Identifier: MIT

/// The mean of the recently searched cepstra, which is subtracted from each of them.
struct RunningMean {
    /// The number of rows after which the weight of earlier rows has fallen to a third.
    private static let memory: Float = 300

    private var sums: [Float]
    private var weight: Float = 0

    init(dimensions: Int) { sums = [Float](repeating: 0, count: dimensions) }

    /// Adds the rows to the mean; old ones fade.
    mutating func observe(_ cepstra: Cepstra) {
        let dimensions = cepstra.dimensions
        let keep = 1 - 1 / Self.memory
        for row in 0..<cepstra.frameCount {
            weight = weight * keep + 1
            for index in 0..<dimensions { sums[index] = sums[index] * keep + cepstra.values[row * dimensions + index] }
        }
    }

    /// Limits the weight of earlier rows to this number of rows.
    mutating func limit(to rows: Float) {
        guard weight > rows else { return }
        for index in sums.indices { sums[index] *= rows / weight }
        weight = rows
    }

    /// The rows without the mean.
    func normalize(_ cepstra: Cepstra) -> Cepstra {
        guard weight > 0 else { return cepstra }
        return cepstra.subtracting(sums.map { $0 / weight })
    }
}
