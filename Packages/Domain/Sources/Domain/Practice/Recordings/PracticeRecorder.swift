// SPDX-License-Identifier: MIT

/// Records a person's voice. Every implementation passes `PracticeRecorderContract` in `DomainTestSupport`, its
/// recordings included.
///
/// Throws ``DomainError`` or `CancellationError`.
public protocol PracticeRecorder: Sendable {
    /// Starts to record a cue.
    func start(_ cue: Cue) async throws -> any ActiveRecording
}

/// A recording in progress.
///
/// The recorded sound stays on the disk when the program is killed.
public protocol ActiveRecording: Sendable {
    /// The meter's readings, some ten times a second; a slow reader gets the newest. Ends with the recording: after
    /// ``finish()``, ``discard()``, or by itself, when the device is gone, the disk is full or the longest time is
    /// reached.
    var meter: AsyncStream<RecordingMeter> { get }

    /// Pauses the recording.
    func pause() async throws
    /// Resumes the recording.
    func resume() async throws

    /// Ends the recording and returns it, also after it has ended by itself; the error says why it did.
    ///
    /// - Throws: The error that kept it from being recorded at all, so that no recording exists.
    func finish() async throws -> (recording: any TakenRecording, interruption: DomainError?)

    /// Ends it and removes it.
    func discard() async
}

/// A reading of a recording's meter.
public struct RecordingMeter: Hashable, Sendable {
    /// The recorded time without pauses, in seconds.
    public let elapsed: Double
    /// The level of the last moment as root mean square, in dB of full scale, −120 or more.
    public let level: Double
    /// The highest sample of the last moment, in dB of full scale.
    public let peak: Double
    /// True if a sample of the last moment was at full scale.
    public let isClipping: Bool
    /// The recording time that the disk has room for, in seconds.
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

/// A finished recording that is not kept yet.
public protocol TakenRecording: Sendable {
    /// The recording.
    var recording: Recording { get }
    /// Keeps it; when this returns, it survives a crash, and is queued for the server if uploads are allowed.
    func keep() async throws
    /// Removes it, unless it was kept.
    func discard() async
}

/// Plays recordings. Every implementation passes `RecordingPlayerContract` in `DomainTestSupport`.
///
/// Throws ``DomainError`` (``DomainError/notFound(_:)`` where the sound is missing) or `CancellationError`.
public protocol RecordingPlayer: Sendable {
    /// Plays a recording from its start until it ends or the task is cancelled.
    ///
    /// - Parameter report: Called with the position reached, in seconds.
    func play(_ recording: Recording, report: @escaping @Sendable (Double) async -> Void) async throws
}
