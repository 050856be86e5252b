// SPDX-License-Identifier: MIT
public import Diagnostics
internal import Synchronization

/// A running loudspeaker: one ALSA playback stream on a thread of its own.
///
/// The device starts with the first frame, and rests when everything was heard. Frames are numbered from 0 in the
/// order in which `play` took them. Dropping the last reference stops the stream.
public final class AudioPlayback: Sendable {
    /// The format that `play` takes.
    public let format: AudioFormat

    private let queue: PlaybackQueue
    private let session: StreamSession
    private let logger: Logger

    private init(format: AudioFormat, queue: PlaybackQueue, session: StreamSession, logger: Logger) {
        self.format = format
        self.queue = queue
        self.session = session
        self.logger = logger
    }

    deinit { session.requestStop() }

    /// Opens a device; it stays silent until `play`.
    ///
    /// Throws `deviceNotFound` (also when there is no sound card at all), `deviceBusy`, `permission`,
    /// `formatNotSupported`, `unplugged`, `io`; the message says what to do.
    public static func start(
        device: AudioDevice = .default, configuration: StreamConfiguration = StreamConfiguration(),
        logger: Logger = .disabled
    ) async throws(AudioError) -> AudioPlayback {
        try configuration.validate()
        let session = try StreamSession()
        let format = configuration.format
        let queue = PlaybackQueue(
            format: format, limit: max(1, format.frames(in: configuration.backlog)),
            rate: Double(format.sampleRate) * device.speed, wake: session.wake)
        try await session.start(name: "parley-playback") { () throws(AudioError) in
            let pcm = try PCMHandle(device, .playback, configuration, wake: session.wake)
            if !pcm.isVirtual { AudioThread.raisePriority() }
            let loop = PlaybackLoop(pcm: pcm, queue: queue, wake: session.wake) { session.mustStop }
            return {
                do throws(AudioError) {
                    try loop.run()
                    queue.update { $0.finish(.success(())) }
                } catch {
                    queue.update { $0.finish(.failure(error)) }
                }
            }
        }
        logger.debug("playback started on \(device.name, privacy: .public), \(format, privacy: .public)")
        return AudioPlayback(format: format, queue: queue, session: session, logger: logger)
    }

    /// Appends a buffer and returns when no more than `StreamConfiguration.backlog` still waits in the queue.
    /// Returns the number of the buffer's first frame, for `audible(frame:)`.
    ///
    /// Throws `formatNotSupported` for a buffer in another format (convert it with `AudioBuffer.converted`), `closed`
    /// after `stop()`, what the device failed with, and `CancellationError`: then the buffer stays in the queue, and
    /// `flush()` takes it out.
    @discardableResult
    public func play(_ buffer: AudioBuffer) async throws -> Int {
        guard buffer.format == format else {
            throw AudioError(
                .formatNotSupported,
                "The stream plays \(format) and cannot take \(buffer.format). Convert the buffer first.")
        }
        try Task.checkCancellation()
        let first = queue.update { state -> Int? in
            guard state.end == nil else { return nil }
            defer { state.accept(buffer) }
            return state.accepted
        }
        queue.signal()
        try result(of: await queue.wait(for: .space))
        return first ?? 0
    }

    /// How many frames `play` has taken so far: the number of the next buffer's first frame.
    public var framesAccepted: Int { queue.read { $0.accepted } }

    /// How many frames were heard so far, by the device's own account of its delay; brought up to date once in a
    /// period. Flushed frames are not among them.
    public var framesHeard: Int { queue.read { $0.heard } }

    /// What went wrong so far without ending the stream: `xruns` counts how often the queue ran dry in mid-sound.
    public var statistics: StreamStatistics { StreamStatistics(xruns: queue.read { $0.xruns }) }

    /// When the very first frame reached the air; waits for it. Nil when it was flushed, the stream ended, or the task
    /// was cancelled before.
    public func firstFrameAudible() async -> ContinuousClock.Instant? { await audible(frame: 0) }

    /// When frame number `frame` reached the air; waits for it. Nil as for `firstFrameAudible()`. Accurate to what the
    /// device says about its delay, about a period on plain hardware.
    public func audible(frame: Int) async -> ContinuousClock.Instant? {
        guard case .done(let instant) = await queue.wait(for: .heard(frame)) else { return nil }
        return instant
    }

    /// Waits until every frame taken before this call was heard or flushed. The stream can be used further.
    ///
    /// Throws what the device failed with, `closed` when the stream is stopped before, and `CancellationError`: the
    /// sound goes on then.
    public func drain() async throws {
        let target = queue.update { state in
            state.askForDrain()
            return state.accepted
        }
        queue.signal()
        try result(of: await queue.wait(for: .drained(upTo: target)))
    }

    /// Silence at once: drops the queue and what the device holds. Returns when that is done, at most one period
    /// later. Tasks that wait in `play` and `drain` go on.
    public func flush() async {
        let number = queue.update { $0.askForFlush() }
        queue.signal()
        _ = await queue.wait(for: .flushed(number))
    }

    /// Stops the device, drops what was not heard, and waits for the thread to end. Calling it again does nothing.
    public func stop() async {
        await session.stop()
        let xruns = statistics.xruns
        if xruns > 0 { logger.warning("playback stopped after \(xruns, privacy: .public) gaps in the sound") }
    }

    private func result(of outcome: PlaybackState.Outcome) throws {
        switch outcome {
        case .done: return
        case .failed(let error): throw error
        case .cancelled: throw CancellationError()
        }
    }
}
