// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo

/// Keeps what it is given, as a user's test would.
final class MockEventEmitter: EventEmitterProtocol {
    private let kept = Guarded<[ConversationEvent]>([])

    var events: [ConversationEvent] { kept.withLock { $0 } }

    func emit(_ event: ConversationEvent) { kept.withLock { $0.append(event) } }
}
