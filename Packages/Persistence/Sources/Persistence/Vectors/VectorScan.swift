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
            for row in rows { offer(row, query, to: &top) }
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
                    // A chunk always exists as a whole.
                    kernel.codeProducts(
                        of: file.code(first), width: file.layout.width, count: (count + 3) & ~3, with: query,
                        into: products)
                    let (lengths, scales, errors) = (file.norms(first), file.scales(first), file.errors(first))
                    var threshold = top.threshold
                    for row in 0..<count {
                        let (product, length) = (products[row] * scales[row], lengths[row] * norm)
                        let bound =
                            metric == .cosine ? product / length + errors[row] : product + errors[row] * length
                        if bound >= threshold {
                            offer(first + row, query, to: &top)
                            threshold = top.threshold
                        }
                    }
                }
            }
        }
        return top
    }

    /// Computes a row's score and offers it, unless the row was removed.
    private func offer(_ row: Int, _ query: UnsafePointer<Float>, to top: inout TopMatches) {
        let length = file.norms(row).pointee
        guard length != 0 else { return }
        let id = file.id(row)
        // The kernels take four rows at a time.
        let product = withUnsafeTemporaryAllocation(of: Float.self, capacity: 4) { products in
            guard let base = products.baseAddress else { return Float.nan }
            kernel.dotProducts(of: file.vector(row & ~3), width: file.layout.width, count: 4, with: query, into: base)
            return products[row & 3]
        }
        // Rounding can yield a cosine that is a little too high, or a little too low.
        let score = metric == .cosine ? min(1, max(-1, product / (length * norm))) : product
        let match = VectorMatch(id: id, score: score)
        if score.isFinite, top.takes(match), filter.accepts(id) { top.offer(match) }
    }

    private func withQuery(_ body: (UnsafePointer<Float>) -> Void) {
        let padded = query + repeatElement(0, count: file.layout.width - query.count)
        padded.withUnsafeBufferPointer { if let base = $0.baseAddress { body(base) } }
    }
}
