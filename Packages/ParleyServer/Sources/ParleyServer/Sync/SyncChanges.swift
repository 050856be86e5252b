// SPDX-License-Identifier: MIT

import Concurrency
import HTTPServer
import Networking

/// Notifies the event streams of a group of new objects.
final class SyncChanges: Sendable {
    private struct State {
        var streams: [SyncGroup: [Int: AsyncStream<Void>.Continuation]] = [:]
        /// The streams of each account that has one.
        var counts: [String: Int] = [:]
        var next = 0
    }

    private let limit: Int
    private let state = Guarded(State())

    /// - Parameter limit: The most streams of an account.
    init(limit: Int) {
        self.limit = limit
    }

    /// An element at once, and one after each new object; several may be one. It ends with the task that iterates.
    ///
    /// - Throws: A 429 if the account has too many streams.
    func stream(of group: SyncGroup) throws(ServerProblem) -> AsyncStream<Void> {
        let (stream, entry) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard state.counts[group.account, default: 0] < limit else { return nil }
            state.counts[group.account, default: 0] += 1
            state.next += 1
            state.streams[group, default: [:]][state.next] = entry
            return state.next
        }
        guard let number else { throw .tooManyStreams }
        entry.onTermination = { [weak self] _ in self?.ended(number, of: group) }
        entry.yield()
        return stream
    }

    /// Notes a new object.
    func created(in group: SyncGroup) {
        let entries = state.withLock { Array(($0.streams[group] ?? [:]).values) }
        for entry in entries { entry.yield() }
    }

    /// The number of streams.
    var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }

    private func ended(_ number: Int, of group: SyncGroup) {
        state.withLock { state in
            guard state.streams[group]?.removeValue(forKey: number) != nil else { return }
            if state.streams[group]?.isEmpty == true { state.streams[group] = nil }
            let left = state.counts[group.account, default: 1] - 1
            state.counts[group.account] = left > 0 ? left : nil
        }
    }
}

extension ServerProblem {
    /// 429: the account has as many event streams as it may have.
    static let tooManyStreams = ServerProblem(
        status: 429, detail: "The account has too many event streams open. Close one, or list objects now and then.",
        members: ["error_code": .string("too_many_requests"), "retry_after": .integer(30)],
        headers: ["Retry-After": "30"])
}
