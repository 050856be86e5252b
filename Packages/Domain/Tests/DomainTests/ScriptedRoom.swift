// SPDX-License-Identifier: MIT

import Domain
import Synchronization

/// An ear that hears what the test says, and fails when the test says so.
final class ScriptedEar: Ear {
    enum Sound: Sendable {
        case heard(Heard)
        case failure(any Error)
        case end
    }

    private let journal: Journal
    private let runs: Mutex<AsyncStream<Sound>.Continuation?>
    private let sounds: AsyncStream<Sound>

    init(journal: Journal) {
        self.journal = journal
        let (stream, continuation) = AsyncStream<Sound>.makeStream()
        sounds = stream
        runs = Mutex(continuation)
    }

    func hear(_ report: @escaping @Sendable (Heard) async -> Void) async throws {
        journal.note("hears")
        for await sound in sounds {
            switch sound {
            case .heard(let heard): await report(heard)
            case .failure(let error): throw error
            case .end: return
            }
        }
        throw CancellationError()
    }

    func open() async { journal.note("opens") }
    func close() async { journal.note("closes") }

    func play(_ sound: Sound) { runs.withLock { _ = $0?.yield(sound) } }
    func play(_ event: Heard.Event, at seconds: Double) { play(.heard(Heard(event, at: .seconds(seconds)))) }
}

/// Notes the tones that it plays, or fails.
struct ScriptedEarcons: EarconPlayer {
    let journal: Journal
    var failure: DomainError?

    func play(_ earcon: VoiceLoop.Earcon) async throws {
        if let failure { throw failure }
        journal.note("tone \(earcon.rawValue)")
    }
}

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
