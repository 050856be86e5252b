// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A body that reports its end: read to its end, failed, or dropped.
final class ObservedBody: HTTPBodySource {
    /// The end of a body.
    enum End: Sendable {
        case complete
        case failed(any Error)
        case dropped
    }

    private let source: HTTPResponseBody
    private let observe: @Sendable ([UInt8]) -> Void
    private let finish: Guarded<(@Sendable (End) -> Void)?>

    init(
        _ source: HTTPResponseBody, observe: @escaping @Sendable ([UInt8]) -> Void = { _ in },
        finish: @escaping @Sendable (End) -> Void
    ) {
        self.source = source
        self.observe = observe
        self.finish = Guarded(finish)
    }

    deinit {
        end(.dropped)
    }

    var summary: HTTPTransferSummary { source.summary }

    func next() async throws -> [UInt8]? {
        var iterator = source.makeAsyncIterator()
        do {
            if let chunk = try await iterator.next() {
                observe(chunk)
                return chunk
            }
            end(.complete)
            return nil
        } catch {
            end(.failed(error))
            throw error
        }
    }

    private func end(_ end: End) {
        finish.withLock { finish in
            defer { finish = nil }
            return finish
        }?(end)
    }
}

extension HTTPResponse {
    /// Reads a short rest of the body, so that its connection can be used again, and drops a long one.
    func discard() async {
        _ = try? await body.collect(upTo: 64 << 10)
    }
}
