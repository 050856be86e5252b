// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A body that keeps a copy of itself, and gives it away when it was read to its end.
final class CachingBody: HTTPBodySource {
    private let source: HTTPResponseBody
    private let limit: Int
    private let complete: @Sendable ([UInt8]) async -> Void
    private let copy = Guarded<[UInt8]?>([])

    init(_ source: HTTPResponseBody, limit: Int, complete: @escaping @Sendable ([UInt8]) async -> Void) {
        self.source = source
        self.limit = limit
        self.complete = complete
    }

    var summary: HTTPTransferSummary { source.summary }

    func next() async throws -> [UInt8]? {
        var iterator = source.makeAsyncIterator()
        if let chunk = try await iterator.next() {
            copy.withLock { copy in
                guard let count = copy?.count else { return }
                if count + chunk.count > limit { copy = nil } else { copy?.append(contentsOf: chunk) }
            }
            return chunk
        }
        let whole = copy.withLock { $0.take() }
        if let whole { await complete(whole) }
        return nil
    }
}
