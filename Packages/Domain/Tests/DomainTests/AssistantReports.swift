// SPDX-License-Identifier: MIT

import Domain
import Synchronization

/// A clock on which every wait is over at once; it notes how long it should have been.
final class HastyClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let time = Mutex(Instant(offset: .zero))
    private let noted = Mutex<[Duration]>([])

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }
    var waits: [Duration] { noted.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let wait = time.withLock { now in
            defer { now = max(now, deadline) }
            return now.duration(to: deadline)
        }
        noted.withLock { $0.append(wait) }
    }
}

/// What is reported, to be waited for.
final class AssistantReports: Sendable {
    private let stream: AsyncStream<AssistantEvent>
    private let continuation: AsyncStream<AssistantEvent>.Continuation
    private let all = Mutex<[AssistantEvent]>([])

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var events: [AssistantEvent] { all.withLock { $0 } }

    func add(_ event: AssistantEvent) {
        all.withLock { $0.append(event) }
        continuation.yield(event)
    }

    /// Waits for the next event that `matches`, and for what comes before it.
    func next(_ matches: (AssistantEvent) -> Bool) async {
        for await event in stream where matches(event) { return }
    }

    func next(_ phase: VoiceLoop.Phase) async {
        await next { if case .phase(phase) = $0 { true } else { false } }
    }
}
