// SPDX-License-Identifier: MIT

/// Gives each event to every listener.
struct EventBroadcast {
    /// How many events a listener may be behind before it loses the oldest.
    static let capacity = 64

    private var listeners: [Int: AsyncStream<AuthEvent>.Continuation] = [:]
    private var last = 0
    private var isClosed = false

    /// A new listener, from now on.
    ///
    /// - Parameter onEnd: Called with its number when it stops listening.
    mutating func listen(onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<AuthEvent> {
        let (stream, continuation) = AsyncStream<AuthEvent>.makeStream(bufferingPolicy: .bufferingNewest(Self.capacity))
        guard !isClosed else {
            continuation.finish()
            return stream
        }
        last += 1
        let number = last
        listeners[number] = continuation
        continuation.onTermination = { _ in onEnd(number) }
        return stream
    }

    mutating func remove(_ number: Int) { listeners[number] = nil }

    func send(_ events: [AuthEvent]) {
        for event in events {
            for listener in listeners.values { listener.yield(event) }
        }
    }

    mutating func close() {
        isClosed = true
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }
}
