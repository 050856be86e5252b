// SPDX-License-Identifier: MIT

/// The mean of the cepstra that were searched lately, which is taken away from each of them.
struct RunningMean {
    /// After so many rows, what was there before counts for a third.
    private static let memory: Float = 300

    private var sums: [Float]
    private var weight: Float = 0

    init(dimensions: Int) { sums = [Float](repeating: 0, count: dimensions) }

    /// Takes the rows into the mean; old ones fade.
    mutating func observe(_ cepstra: Cepstra) {
        let dimensions = cepstra.dimensions
        let keep = 1 - 1 / Self.memory
        for row in 0..<cepstra.frameCount {
            weight = weight * keep + 1
            for index in 0..<dimensions { sums[index] = sums[index] * keep + cepstra.values[row * dimensions + index] }
        }
    }

    /// Makes what came before count as no more than so many rows.
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
