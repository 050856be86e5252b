// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo

/// Keeps what it is given, as a user's test would.
final class MockEventEmitter: EventEmitterProtocol {
    private let kept = Guarded<[EchoEvent]>([])

    var events: [EchoEvent] { kept.withLock { $0 } }

    func emit(_ event: EchoEvent) { kept.withLock { $0.append(event) } }
}
