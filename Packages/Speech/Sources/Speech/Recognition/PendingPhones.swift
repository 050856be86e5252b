// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Dispatch

/// Free phones that are decoded on another queue while this one decodes words.
final class PendingPhones: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let segments = Guarded<[PocketSphinxDecoder.Segment]?>(nil)

    init(_ decoder: PocketSphinxDecoder, _ cepstra: Cepstra, on queue: DispatchQueue) {
        queue.async {
            let decoded = decoder.decode(cepstra)
            self.segments.withLock { $0 = decoded }
            self.done.signal()
        }
    }

    /// The phones, or nil when there are none; once.
    func wait() -> [PocketSphinxDecoder.Segment]? {
        done.wait()
        return segments.withLock { $0 }
    }
}
