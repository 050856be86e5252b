// SPDX-License-Identifier: MIT

import Concurrency
public import HTTPServer
import Networking

/// Sends what happens to any number of readers, as server-sent events (WHATWG HTML §9.2).
///
/// A reader that comes back with `Last-Event-ID` gets what it has missed, as long as that is kept; otherwise it gets a snapshot first.
/// A reader that does not read is cut off when its queue is full, and never holds up another one.
public final class EventHub: Sendable {
    private struct State {
        /// The number of the last event.
        var number = 0
        /// The newest events that are kept, with their numbers.
        var kept: [(number: Int, text: String)] = []
        var readers: [Int: AsyncStream<ServerSentEvent>.Continuation] = [:]
        var nextReader = 0
        var isClosed = false
    }

    /// The number of events that a reader may be behind, besides those that it missed and gets first.
    private static let queueLimit = 256
    private let state = Guarded(State())
    private let keptLimit: Int
    /// Tells the numbers of this hub from those of another run of the program.
    private let epoch: String

    /// A hub without readers.
    ///
    /// - Parameter keptLimit: The number of events for readers that come back.
    public init(keptLimit: Int = 500) {
        self.keptLimit = keptLimit
        epoch = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// The number of readers.
    public var readers: Int { state.withLock { $0.readers.count } }

    /// Sends an event to all readers.
    ///
    /// - Parameters:
    ///   - text: The data.
    ///   - isPassing: True for a value that the next one replaces, such as a level: it is not kept, and slow readers do not get it.
    public func send(_ text: String, isPassing: Bool = false) {
        state.withLock { state in
            guard !state.isClosed else { return }
            var event = ServerSentEvent(data: text)
            if !isPassing {
                state.number += 1
                if state.kept.count >= 2 * keptLimit { state.kept.removeFirst(state.kept.count - keptLimit + 1) }
                state.kept.append((state.number, text))
                event = ServerSentEvent(data: text, lastEventID: id(of: state.number))
            }
            for (key, reader) in state.readers {
                if case .dropped = reader.yield(event), !isPassing {
                    reader.finish()
                    state.readers[key] = nil
                }
            }
        }
    }

    /// The events from now on, or after the one that the reader has got last, as an answer without an end.
    ///
    /// - Parameters:
    ///   - request: The reader's request.
    ///   - snapshot: Makes what a reader that missed something has to know of the newest 50 events, the oldest first; sent as the event
    ///     `snapshot`.
    public func response(
        to request: ServerRequest, snapshot: @escaping @Sendable (_ recent: [String]) -> String
    ) -> ServerResponse {
        let last = number(of: request.headers["Last-Event-ID"])
        return .events { [self] events in
            let (key, stream, recent, id) = add(after: last)
            defer { remove(key) }
            if let recent {
                try await events.send(ServerSentEvent(type: "snapshot", data: snapshot(recent), lastEventID: id))
            }
            for await event in stream { try await events.send(event) }
        }
    }

    /// Ends all readers' answers; there are no more.
    public func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            defer { state.readers = [:] }
            return state.readers.values
        }
        for reader in readers { reader.finish() }
    }

    /// Adds a reader; with the newest events for a snapshot, and their id, if it cannot go on where it was.
    private func add(
        after last: Int?
    ) -> (key: Int, stream: AsyncStream<ServerSentEvent>, recent: [String]?, id: String) {
        let (stream, reader) = AsyncStream<ServerSentEvent>.makeStream(
            // Twice, as many as `send` lets `kept` grow to: a returning reader may have missed all of them.
            bufferingPolicy: .bufferingOldest(Self.queueLimit + 2 * keptLimit))
        return state.withLock { state in
            let first = state.kept.first?.number ?? state.number + 1
            var recent: [String]?
            if let last, (first - 1...max(first - 1, state.number)).contains(last) {
                for event in state.kept where event.number > last {
                    reader.yield(ServerSentEvent(data: event.text, lastEventID: id(of: event.number)))
                }
            } else {
                recent = state.kept.suffix(50).map(\.text)
            }
            state.nextReader += 1
            if state.isClosed { reader.finish() } else { state.readers[state.nextReader] = reader }
            return (state.nextReader, stream, recent, id(of: state.number))
        }
    }

    private func remove(_ key: Int) { state.withLock { $0.readers[key] = nil } }

    private func id(of number: Int) -> String { "\(epoch).\(number)" }

    private func number(of id: String?) -> Int? {
        guard let id, id.hasPrefix(epoch + ".") else { return nil }
        return Int(id.dropFirst(epoch.count + 1))
    }
}
