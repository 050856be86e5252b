// SPDX-License-Identifier: MIT

public import Domain
import Synchronization

/// A `RoomListener` that hears the sounds of the test, and fails when the test says so.
public final class ScriptedRoomListener: RoomListener {
    /// The next sound that it hears.
    public enum Sound: Sendable {
        /// A report that is passed on as it is, open or closed.
        case reported(ListenerReport)
        /// Words that are said ten seconds after the previous ones.
        case words(String)
        /// Hearing fails.
        case failure(any Error)
        /// The sound ends.
        case end
    }

    private struct State {
        var isOpen = false
        var position = Duration.zero
        var sounds: [Sound] = []
        var wakeup: AsyncStream<Void>.Continuation?
    }

    private let journal: Journal
    private let state = Mutex(State())

    /// A listener; the journal gets "hears", "opens" and "closes".
    public init(journal: Journal = Journal()) { self.journal = journal }

    /// See `RoomListener`. Played sound waits until `hear` is called.
    public func listen(_ report: @escaping @Sendable (ListenerReport) async -> Void) async throws {
        journal.note("hears")
        let (wakeups, wakeup) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { ($0.isOpen, $0.position, $0.wakeup) = (false, .zero, wakeup) }
        wakeup.yield()
        for await _ in wakeups {
            while let sound = state.withLock({ $0.sounds.isEmpty ? nil : $0.sounds.removeFirst() }) {
                switch sound {
                case .reported(let heard): await report(heard)
                case .words(let words): for heard in listen(words) { await report(heard) }
                case .failure(let error): throw error
                case .end: return
                }
            }
        }
        throw CancellationError()
    }

    /// See `RoomListener`.
    public func open() async {
        journal.note("opens")
        state.withLock { $0.isOpen = true }
    }

    /// See `RoomListener`.
    public func close() async {
        journal.note("closes")
        state.withLock { $0.isOpen = false }
    }

    /// Lets it hear something.
    public func play(_ sound: Sound) {
        state.withLock { state in
            state.sounds.append(sound)
            state.wakeup?.yield()
        }
    }

    /// Lets it report something, at a position in seconds.
    public func play(_ event: ListenerReport.Event, at seconds: Double) {
        play(.reported(ListenerReport(event, at: .seconds(seconds))))
    }

    private func listen(_ words: String) -> [ListenerReport] {
        state.withLock { state in
            let start = state.position
            state.position += .seconds(10)
            let question = ListenerReport(.question(Transcript(text: words, confidence: 0.9)), at: start + .seconds(2))
            return [ListenerReport(.level(-30), at: start), ListenerReport(.speechBegan, at: start)]
                + (state.isOpen ? [question] : [])
                + [ListenerReport(.level(-60), at: state.position)]
        }
    }
}

/// An `EarconPlayer` that notes the tones that it plays, or fails.
public struct ScriptedEarconPlayer: EarconPlayer {
    private let journal: Journal
    private let failure: DomainError?
    private let onSound: @Sendable () -> Void

    /// A player.
    ///
    /// - Parameters:
    ///   - journal: Gets "tone" with each tone's name.
    ///   - failure: The error that it throws; nil to play.
    ///   - onSound: Called when a tone begins.
    public init(
        journal: Journal = Journal(), failure: DomainError? = nil, onSound: @escaping @Sendable () -> Void = {}
    ) {
        self.journal = journal
        self.failure = failure
        self.onSound = onSound
    }

    /// See `EarconPlayer`.
    public func play(_ earcon: VoiceLoop.Earcon) async throws {
        if let failure { throw failure }
        try Task.checkCancellation()
        onSound()
        try Task.checkCancellation()
        journal.note("tone \(earcon.rawValue)")
    }
}
