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
        var isClosed = false
    }

    private let limit: Int
    private let hints: ChangeHints?
    private let state = Guarded(State())

    /// - Parameters:
    ///   - limit: The most streams of an account at this instance.
    ///   - hints: Tells the other instances.
    init(limit: Int, hints: ChangeHints? = nil) {
        self.limit = limit
        self.hints = hints
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
        if state.withLock({ $0.isClosed }) { entry.finish() }
        return stream
    }

    /// Notes a new object.
    func created(in group: SyncGroup) {
        wake(group)
        hints?.add(.objects(group))
    }

    /// Lets the streams of a group of this instance look at it.
    func wake(_ group: SyncGroup) {
        let entries = state.withLock { Array(($0.streams[group] ?? [:]).values) }
        for entry in entries { entry.yield() }
    }

    /// Lets every stream look at its group.
    func wakeAll() {
        let entries = state.withLock { state in state.streams.values.flatMap { Array($0.values) } }
        for entry in entries { entry.yield() }
    }

    /// The groups that have streams.
    var awaited: Set<SyncGroup> { state.withLock { Set($0.streams.keys) } }

    /// Ends every stream, and each later one after its first element. The clients then come back to another instance.
    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            return state.streams.values.flatMap { Array($0.values) }
        }
        for entry in entries { entry.finish() }
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
