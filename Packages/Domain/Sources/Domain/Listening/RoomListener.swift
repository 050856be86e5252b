// SPDX-License-Identifier: MIT

/// Hears everything that is said in a room: the wake word at any time, and questions while it is open. Every
/// implementation passes `RoomListenerContract` in `DomainTestSupport`.
public protocol RoomListener: Sendable {
    /// Hears until the sound ends, the device or an engine fails, or the task is cancelled, and reports in order what
    /// happens. It starts closed, and can be opened from its first report on. One call at a time; calling it again,
    /// after it has ended, starts anew from position zero. ``open()`` and ``close()`` may be called by any task
    /// meanwhile.
    ///
    /// - Throws: ``DomainError/device(_:)``, ``DomainError/file(_:)``, ``DomainError/speechEngine(_:)``,
    ///   `CancellationError`.
    func listen(_ report: @escaping @Sendable (ListenerReport) async -> Void) async throws

    /// Takes questions from now on. Words right after the wake word, or in progress, are part of the first one.
    func open() async

    /// Takes no more questions; one that has begun is discarded.
    func close() async
}

/// A report of a ``RoomListener``.
public struct ListenerReport: Sendable {
    /// The kind of a report.
    public enum Event: Sendable {
        /// The wake word was said.
        case wakeWord
        /// A person began to speak, open or closed.
        case speechBegan
        /// The sound that had begun was no speech.
        case speechDiscarded
        /// A question, while open.
        case question(Transcript)
        /// Something else was said, while open.
        case notUnderstood
        /// Somebody spoke for `limit` seconds without a pause, while open. The speech goes on, perhaps.
        case speechTooLong(limit: Int)
        /// A stage of a turn was reached at that monotonic time, which may lie in the past.
        case reached(TurnStage, at: ContinuousClock.Instant)
        /// The loudness, in dBFS (RMS), ten times a second.
        case level(Double)
        /// The words of a question so far, while open; the next ones may be others.
        case draft(String)
        /// In a pause, while open: the question, unless the person goes on. The next one, or the question itself, may be
        /// another.
        case foreseen(Transcript)
        /// The device disappeared, or is back; the text says which and is for a person.
        case device(Sentence)
        /// It saves power from now on, or not any more.
        case savesPower(Bool)
    }

    /// The kind of the report.
    public let event: Event
    /// The position in the sound at which the listener knew of the event; never decreases.
    public let position: Duration

    /// Makes a report.
    public init(_ event: Event, at position: Duration) {
        self.event = event
        self.position = position
    }
}

/// Plays the short tones by which an assistant says what it does. Every implementation passes `EarconPlayerContract` in
/// `DomainTestSupport`.
public protocol EarconPlayer: Sendable {
    /// Plays a tone and returns when its last sample has left the device; cancellation cuts it off.
    ///
    /// - Throws: ``DomainError/device(_:)`` or ``DomainError/file(_:)``, `CancellationError`.
    func play(_ earcon: VoiceLoop.Earcon) async throws
}
