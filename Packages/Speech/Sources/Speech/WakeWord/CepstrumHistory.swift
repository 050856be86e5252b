// SPDX-License-Identifier: MIT

/// The cepstra of the last seconds of a stream, one row each 10 ms, numbered from the stream's beginning.
struct CepstrumHistory {
    private let dimensions: Int
    private let capacity: Int
    private var values: [Float] = []
    /// The number of the oldest stored row.
    private(set) var first: Int

    /// Keeps at least `capacity` rows, at most twice as many.
    init(dimensions: Int, capacity: Int, first: Int = 0) {
        self.first = first
        self.dimensions = dimensions
        self.capacity = capacity
        values.reserveCapacity((2 * capacity + 64) * dimensions)
    }

    /// The number after the newest row's.
    var end: Int { first + values.count / dimensions }

    mutating func append(_ cepstra: Cepstra) {
        values += cepstra.values
        let rows = values.count / dimensions
        guard rows > 2 * capacity else { return }
        values.removeFirst((rows - capacity) * dimensions)
        first += rows - capacity
    }

    /// The stored rows of `range`.
    func rows(_ range: Range<Int>) -> Cepstra {
        let kept = range.clamped(to: first..<end)
        let start = (kept.lowerBound - first) * dimensions
        return Cepstra(dimensions: dimensions, values: Array(values[start..<(start + kept.count * dimensions)]))
    }
}
