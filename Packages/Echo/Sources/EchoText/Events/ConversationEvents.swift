// SPDX-License-Identifier: MIT

import Concurrency

/// Passes the events of one conversation to the emitter of all, and to the conversation's own streams.
final class ConversationEvents: EventEmitterProtocol {
    private struct Reader {
        let types: Set<EventType>
        let continuation: AsyncStream<EchoEvent>.Continuation
    }

    private struct State {
        var readers: [UInt64: Reader] = [:]
        var lastID: UInt64 = 0
        var isFinished = false
    }

    private let next: any EventEmitterProtocol
    private let state = Guarded(State())
    /// Held while an event is passed on, so that all readers see one order. Another lock than the state's, which the end of a
    /// reader takes.
    private let order = Guarded(())

    init(next: any EventEmitterProtocol) { self.next = next }

    deinit { finish() }

    func emit(_ event: ConversationEvent) async {
        order.withLock { _ in
            for reader in state.withLock({ $0.readers }).values where reader.types.contains(event.type) {
                reader.continuation.yield(event.detail)
            }
        }
        await next.emit(event)
    }

    /// The events of these types from now on. Nothing is dropped.
    func stream(of types: Set<EventType>) -> AsyncStream<EchoEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: EchoEvent.self, bufferingPolicy: .unbounded)
        let id: UInt64? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.lastID += 1
            state.readers[state.lastID] = Reader(types: types, continuation: continuation)
            return state.lastID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in _ = state.readers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Ends all streams after their last events.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.continuation.finish() }
    }
}
