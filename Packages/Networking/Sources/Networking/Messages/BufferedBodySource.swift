// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A body that is all in memory.
final class BufferedBodySource: HTTPBodySource {
    let summary: HTTPTransferSummary
    private let rest: Guarded<[UInt8]>

    init(_ bytes: [UInt8], summary: HTTPTransferSummary? = nil) {
        rest = Guarded(bytes)
        self.summary = summary ?? HTTPTransferSummary(bytesReceived: bytes.count)
    }

    func next() async throws -> [UInt8]? {
        rest.withLock { rest in
            let bytes = rest
            rest = []
            return bytes.isEmpty ? nil : bytes
        }
    }
}
