// SPDX-License-Identifier: MIT

/// The mean of the cepstra that were searched lately, which is taken away from each of them.
struct RunningMean {
    private static let memory: Float = 300
    private var sums: [Float]
    private var weight: Float

    init(dimensions: Int) {
        sums = [Float](repeating: 0, count: dimensions)
        weight = 0
    }

    /// Whether there is anything to take away yet.
    var isEmpty: Bool { weight == 0 }

    /// Takes the rows into the mean; old ones fade.
    mutating func observe(_ cepstra: Cepstra) {
        let dimensions = cepstra.dimensions
        for row in 0..<cepstra.frameCount {
            let keep = 1 - 1 / Self.memory
            weight = weight * keep + 1
            for index in 0..<dimensions { sums[index] = sums[index] * keep + cepstra.values[row * dimensions + index] }
        }
    }

    /// The rows without the mean.
    func normalize(_ cepstra: Cepstra) -> Cepstra {
        guard weight > 0 else { return cepstra }
        return cepstra.subtracting(sums.map { $0 / weight })
    }
}
