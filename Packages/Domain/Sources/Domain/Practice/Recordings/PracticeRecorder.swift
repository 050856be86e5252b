// SPDX-License-Identifier: MIT

/// What records somebody's voice. Every implementation passes `PracticeRecorderContract` in `DomainTestSupport`, its recordings
/// included.
///
/// Throws ``DomainError`` or `CancellationError`.
public protocol PracticeRecorder: Sendable {
    /// Starts to record a cue.
    func start(_ cue: Cue) async throws -> any ActiveRecording
}

/// A recording that is being made.
///
/// What was recorded stays on the disk when the program is killed.
public protocol ActiveRecording: Sendable {
    /// How it goes, some ten times a second; a slow reader gets the newest. Ends when the recording does: after
    /// ``finish()``, ``discard()``, or by itself, when the device is gone, the disk is full or the longest time is reached.
    var meter: AsyncStream<RecordingMeter> { get }

    /// Stops taking sound up.
    func pause() async throws
    /// Takes sound up again.
    func resume() async throws

    /// Ends it and says what there is, also after it has ended by itself; the error says why it did.
    ///
    /// - Throws: What kept it from being recorded at all, so that nothing is there.
    func finish() async throws -> (recording: any TakenRecording, interruption: DomainError?)

    /// Ends it and removes it.
    func discard() async
}

/// How a recording goes.
public struct RecordingMeter: Hashable, Sendable {
    /// How much was recorded, in seconds, without pauses.
    public let elapsed: Double
    /// The level of the last moment as root mean square, in dB of full scale, −120 or more.
    public let level: Double
    /// The highest sample of the last moment, in dB of full scale.
    public let peak: Double
    /// Whether a sample of the last moment stood at full scale.
    public let isClipping: Bool
    /// How many seconds more the disk has room for.
    public let remaining: Double

    /// A reading.
    public init(elapsed: Double, level: Double, peak: Double, isClipping: Bool, remaining: Double) {
        self.elapsed = elapsed
        self.level = level
        self.peak = peak
        self.isClipping = isClipping
        self.remaining = remaining
    }
}

/// A recording that was made, and is kept or not.
public protocol TakenRecording: Sendable {
    /// The recording.
    var recording: Recording { get }
    /// Keeps it; when this returns, it survives a crash, and is sent to the server if it is to be.
    func keep() async throws
    /// Removes it, unless it was kept.
    func discard() async
}

/// What plays recordings. Every implementation passes `RecordingPlayerContract` in `DomainTestSupport`.
///
/// Throws ``DomainError`` (``DomainError/notFound(_:)`` where the sound is missing) or `CancellationError`.
public protocol RecordingPlayer: Sendable {
    /// Plays a recording from its start until it ends or the task is cancelled.
    ///
    /// - Parameter report: Is told what was heard so far, in seconds.
    func play(_ recording: Recording, report: @escaping @Sendable (Double) async -> Void) async throws
}
