// SPDX-License-Identifier: MIT

/// The nearest few of many, in a heap whose root is the least near of them.
struct TopMatches {
    private let limit: Int
    private var heap: [VectorMatch] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// A score below this one need not be offered.
    var threshold: Float { heap.count < limit ? -.infinity : heap.first?.score ?? .infinity }

    /// True if a match would be taken.
    func takes(_ match: VectorMatch) -> Bool {
        guard heap.count == limit, let root = heap.first else { return limit > 0 }
        return VectorMatch.isNearer(match, root)
    }

    mutating func offer(_ match: VectorMatch) {
        guard takes(match) else { return }
        if heap.count < limit {
            heap.append(match)
            var child = heap.count - 1
            while child > 0, VectorMatch.isNearer(heap[(child - 1) / 2], heap[child]) {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else {
            heap[0] = match
            var parent = 0
            while true {
                var last = parent
                for child in [2 * parent + 1, 2 * parent + 2] where child < limit {
                    if VectorMatch.isNearer(heap[last], heap[child]) { last = child }
                }
                if last == parent { return }
                heap.swapAt(parent, last)
                parent = last
            }
        }
    }

    /// The matches, nearest first.
    var sorted: [VectorMatch] { heap.sorted(by: VectorMatch.isNearer) }
}
