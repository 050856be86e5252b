// SPDX-License-Identifier: MIT

import Concurrency
public import Networking

/// The states of a network that a test sets, in place of `Reachability`: the present one, then each change.
public struct ScriptedNetwork: AsyncSequence, Sendable {
    private final class Shared: Sendable {
        let state = Guarded((isUp: true, readers: [AsyncThrowingStream<NetworkState, any Error>.Continuation]()))
    }

    private let shared = Shared()

    /// A network that is there.
    public init() {}

    /// Cuts or restores it.
    public func set(isUp: Bool) {
        let readers = shared.state.withLock { state in
            state.isUp = isUp
            return state.readers
        }
        for reader in readers { reader.yield(Self.state(isUp)) }
    }

    /// The number of readers so far.
    public var readerCount: Int { shared.state.withLock { $0.readers.count } }

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncThrowingStream<NetworkState, any Error>.Iterator {
        let (states, reader) = AsyncThrowingStream<NetworkState, any Error>.makeStream()
        let isUp = shared.state.withLock { state in
            state.readers.append(reader)
            return state.isUp
        }
        reader.yield(Self.state(isUp))
        return states.makeAsyncIterator()
    }

    private static func state(_ isUp: Bool) -> NetworkState {
        NetworkState(hasIPv4: isUp, hasIPv6: false, interfaces: isUp ? ["eth0"] : [])
    }
}
