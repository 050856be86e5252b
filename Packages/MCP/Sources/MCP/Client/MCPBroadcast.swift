// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Events for any number of consumers, none of which can hold up the others.
final class MCPBroadcast: Sendable {
    private struct State {
        var consumers: [Int: AsyncStream<MCPEvent>.Continuation] = [:]
        var next = 0
        var isFinished = false
    }

    private let state = Guarded(State())

    func events() -> AsyncStream<MCPEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MCPEvent.self, bufferingPolicy: .bufferingNewest(256))
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            defer { state.next += 1 }
            state.consumers[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.consumers.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ event: MCPEvent) {
        let consumers = state.withLock { Array($0.consumers.values) }
        for consumer in consumers { consumer.yield(event) }
    }

    func finish() {
        let consumers = state.withLock { state in
            state.isFinished = true
            defer { state.consumers = [:] }
            return Array(state.consumers.values)
        }
        for consumer in consumers { consumer.finish() }
    }
}
