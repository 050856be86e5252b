// SPDX-License-Identifier: MIT

import Dispatch

/// One search.
struct VectorScan {
    let file: VectorFile
    let query: [Float]
    let norm: Float
    let limit: Int
    let metric: VectorMetric
    let filter: VectorFilter
    var kernel = VectorKernel.best

    /// The nearest among all rows, which the threads share by chunks.
    func matches(threads: Int) -> [VectorMatch] {
        let chunks = (file.rows + VectorLayout.rowsPerChunk - 1) / VectorLayout.rowsPerChunk
        guard threads > 1, chunks > 1 else { return matches(inChunks: 0..<chunks).sorted }
        let parts = min(threads, chunks)
        // SAFETY: each part writes its own element, the file does not change during a search, and it is over when
        // `concurrentPerform` returns.
        nonisolated(unsafe) let scan = self
        let all = [TopMatches](unsafeUninitializedCapacity: parts) { buffer, count in
            nonisolated(unsafe) let results = buffer
            DispatchQueue.concurrentPerform(iterations: parts) { part in
                let range = chunks * part / parts..<chunks * (part + 1) / parts
                (results.baseAddress.map { $0 + part })?.initialize(to: scan.matches(inChunks: range))
            }
            count = parts
        }
        var top = TopMatches(limit: limit)
        for match in all.flatMap(\.sorted) { top.offer(match) }
        return top.sorted
    }

    /// The nearest among some rows.
    func matches(inRows rows: [Int]) -> [VectorMatch] {
        var top = TopMatches(limit: limit)
        withQuery { query in
            // The kernels take rows by fours, so each row is looked at in its own group of four.
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 4) { products in
                guard let products = products.baseAddress else { return }
                for row in rows {
                    kernel.dotProducts(
                        of: file.vector(row & ~3), width: file.layout.width, count: 4, with: query, into: products)
                    offer(row, score(products[row & 3], file.norms(row).pointee), to: &top)
                }
            }
        }
        return top.sorted
    }

    private func matches(inChunks chunks: Range<Int>) -> TopMatches {
        var top = TopMatches(limit: limit)
        guard limit > 0 else { return top }
        withQuery { query in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: VectorLayout.rowsPerChunk) { products in
                guard let products = products.baseAddress else { return }
                for chunk in chunks {
                    let first = chunk * VectorLayout.rowsPerChunk
                    let count = min(VectorLayout.rowsPerChunk, file.rows - first)
                    // A chunk is always there as a whole.
                    kernel.dotProducts(
                        of: file.vector(first), width: file.layout.width, count: (count + 3) & ~3, with: query,
                        into: products)
                    let lengths = file.norms(first)
                    var threshold = top.threshold
                    for offset in 0..<count {
                        let score = score(products[offset], lengths[offset])
                        // False for a removed row, whose score is not a number, too.
                        if score >= threshold {
                            offer(first + offset, score, to: &top)
                            threshold = top.threshold
                        }
                    }
                }
            }
        }
        return top
    }

    /// The score of a row; not a number when the row was removed.
    @inline(__always)
    private func score(_ product: Float, _ length: Float) -> Float {
        switch metric {
        case .cosine: product / (length * norm)
        case .dotProduct: length == 0 ? .nan : product
        }
    }

    private func offer(_ row: Int, _ score: Float, to top: inout TopMatches) {
        guard score.isFinite else { return }
        // Rounding can yield a cosine that is a little too high, or a little too low.
        let score = metric == .cosine ? min(1, max(-1, score)) : score
        let match = VectorMatch(id: file.id(row), score: score)
        if top.takes(match), filter.accepts(match.id) { top.offer(match) }
    }

    private func withQuery(_ body: (UnsafePointer<Float>) -> Void) {
        let padded = query + repeatElement(0, count: file.layout.width - query.count)
        padded.withUnsafeBufferPointer { if let base = $0.baseAddress { body(base) } }
    }
}
