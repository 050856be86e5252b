// SPDX-License-Identifier: MIT

import Concurrency

/// A fixed list of events.
final class ScriptedResponseSource: ResponseStreamSource {
    private struct State: Sendable {
        var events: ArraySlice<ResponseStreamEvent>
        var assembly = ResponseAssembly()
    }

    private let state: Guarded<State>

    init(_ events: [ResponseStreamEvent]) { state = Guarded(State(events: events[...])) }

    var partial: Response { state.withLock { $0.assembly.response } }
    var lastSequenceNumber: Int? { state.withLock { $0.assembly.lastSequenceNumber } }

    func next() async throws -> ResponseStreamEvent? {
        try Task.checkCancellation()
        return state.withLock { state in
            guard let event = state.events.popFirst() else { return nil }
            state.assembly.apply(event)
            return event
        }
    }
}
