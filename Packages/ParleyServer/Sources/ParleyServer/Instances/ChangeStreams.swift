// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import HTTPServer
import Networking

/// The subject of an event stream.
protocol ChangeSubject: Sendable, Hashable {
    /// The account that reads the stream.
    var account: String { get }
}

/// Notifies the event streams of this instance of changes.
final class ChangeStreams<Subject: ChangeSubject>: Sendable {
    private struct State {
        var streams: [Subject: [Int: AsyncStream<Void>.Continuation]] = [:]
        /// The streams of each account that has one.
        var counts: [String: Int] = [:]
        var next = 0
        var isClosed = false
    }

    private let limit: Int
    fileprivate let hints: ChangeHints?
    private let state = Guarded(State())

    /// - Parameters:
    ///   - limit: The most streams of an account at this instance.
    ///   - hints: Tells the other instances.
    init(limit: Int, hints: ChangeHints? = nil) {
        self.limit = limit
        self.hints = hints
    }

    /// An element at once, and one after each change; several changes may be one. It ends with the task that iterates.
    ///
    /// - Throws: A 429 if the account has too many streams.
    func stream(of subject: Subject) throws(ServerProblem) -> AsyncStream<Void> {
        let (stream, entry) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard state.counts[subject.account, default: 0] < limit else { return nil }
            state.counts[subject.account, default: 0] += 1
            state.next += 1
            state.streams[subject, default: [:]][state.next] = entry
            return state.next
        }
        guard let number else { throw .tooManyStreams }
        entry.onTermination = { [weak self] _ in self?.ended(number, of: subject) }
        entry.yield()
        if state.withLock({ $0.isClosed }) { entry.finish() }
        return stream
    }

    /// Lets the streams of a subject look at it.
    func wake(_ subject: Subject) {
        for entry in state.withLock({ Array(($0.streams[subject] ?? [:]).values) }) { entry.yield() }
    }

    /// Lets the streams of some subjects look at them; all by default.
    func wake(where isChanged: (Subject) -> Bool = { _ in true }) {
        for entry in entries(isChanged) { entry.yield() }
    }

    /// The subjects that have streams.
    var awaited: Set<Subject> { state.withLock { Set($0.streams.keys) } }

    /// Ends every stream, and each later one after its first element. The clients then come back to another instance.
    func close() {
        state.withLock { $0.isClosed = true }
        for entry in entries({ _ in true }) { entry.finish() }
    }

    /// The number of streams.
    var count: Int { state.withLock { $0.counts.values.reduce(0, +) } }

    private func entries(_ isWanted: (Subject) -> Bool) -> [AsyncStream<Void>.Continuation] {
        state.withLock { state in state.streams.flatMap { isWanted($0.key) ? Array($0.value.values) : [] } }
    }

    private func ended(_ number: Int, of subject: Subject) {
        state.withLock { state in
            guard state.streams[subject]?.removeValue(forKey: number) != nil else { return }
            if state.streams[subject]?.isEmpty == true { state.streams[subject] = nil }
            let left = state.counts[subject.account, default: 1] - 1
            state.counts[subject.account] = left > 0 ? left : nil
        }
    }
}

/// A recording whose evaluation a client waits for.
struct AwaitedEvaluation: ChangeSubject {
    let account: String
    let recording: Identifier<Recording>
}

extension SyncGroup: ChangeSubject {}

extension ChangeStreams<AwaitedEvaluation> {
    /// Notes a change of a recording with that id; the streams check the account.
    func changed(_ recording: Identifier<Recording>) {
        wake { $0.recording == recording }
        hints?.add(.evaluation(recording))
    }
}

extension ChangeStreams<SyncGroup> {
    /// Notes a new object.
    func created(in group: SyncGroup) {
        wake(group)
        hints?.add(.objects(group))
    }
}

extension ServerProblem {
    /// 429: the account has as many event streams as it may have.
    static let tooManyStreams = ServerProblem(
        status: 429, detail: "The account has too many event streams open. Close one, or ask now and then.",
        members: ["error_code": .string("too_many_requests"), "retry_after": .integer(30)],
        headers: ["Retry-After": "30"])
}
