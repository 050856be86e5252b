// SPDX-License-Identifier: MIT

import Concurrency

/// The states of this machine's network, as the kernel announces them by rtnetlink. Nothing is polled.
///
/// The first element is the present state; another one follows at each change. A slow consumer gets only the newest
/// state. Each iteration has a socket and a sleeping thread of its own, which end with it.
public struct Reachability: AsyncSequence, Sendable {
    /// A state.
    public typealias Element = NetworkState

    /// A sequence; nothing is opened yet.
    public init() {}

    /// Opens a socket and begins to listen.
    public func makeAsyncIterator() -> Iterator {
        let (states, continuation) = AsyncThrowingStream<NetworkState, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        do {
            let socket = try NetlinkSocket()
            continuation.onTermination = { _ in socket.interrupt() }
            guard DetachedThread.start({ Self.listen(socket, continuation) }) else {
                throw NetworkError(code: .other, message: "The system gave no thread. Close other programs.")
            }
        } catch {
            continuation.finish(throwing: error)
        }
        return Iterator(states: states.makeAsyncIterator())
    }

    /// Runs on its own thread until the iteration ends.
    private static func listen(
        _ socket: NetlinkSocket, _ continuation: AsyncThrowingStream<NetworkState, any Error>.Continuation
    ) {
        do {
            var machine = try load(socket)
            var last = machine.map(\.state)
            if let last { continuation.yield(last) }
            while machine != nil, let messages = try socket.receive() {
                if messages.isEmpty {
                    machine = try load(socket)
                } else {
                    for message in messages { machine?.apply(message) }
                }
                let state = machine.map(\.state)
                if let state, state != last { continuation.yield(state) }
                last = state
            }
            continuation.finish()
        } catch {
            continuation.finish(throwing: error)
        }
    }

    /// Requests links, then routes; changes that arrive in between are in the right order already. `nil` if
    /// interrupted.
    private static func load(_ socket: NetlinkSocket) throws(NetworkError) -> ReachabilityStateMachine? {
        var machine = ReachabilityStateMachine()
        for type: UInt16 in [18, 26] {
            try socket.requestDump(type)
            dump: while true {
                guard let messages = try socket.receive() else { return nil }
                for message in messages {
                    if case .error(let number) = message {
                        throw NetworkError(code: .other, message: "The kernel refused to list its network (\(number)).")
                    }
                    machine.apply(message)
                }
                if messages.contains(.done) { break dump }
            }
        }
        return machine
    }

    /// Waits for states.
    public struct Iterator: AsyncIteratorProtocol {
        private var states: AsyncThrowingStream<NetworkState, any Error>.Iterator

        init(states: AsyncThrowingStream<NetworkState, any Error>.Iterator) {
            self.states = states
        }

        /// The next state, or `nil` when the task was cancelled.
        public mutating func next() async throws -> NetworkState? {
            try await states.next()
        }
    }
}
