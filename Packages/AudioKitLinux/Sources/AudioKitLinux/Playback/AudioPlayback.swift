// SPDX-License-Identifier: MIT
public import Diagnostics
internal import Synchronization

/// A running loudspeaker: one ALSA playback stream on its own thread, and a second thread that fills its ring.
///
/// The device starts with the first frame, and stops once everything was heard. Frames are numbered from 0 in the order
/// in which `play` took them. Dropping the last reference stops the stream.
public final class AudioPlayback: Sendable {
    /// The format that `play` takes.
    public let format: AudioFormat

    /// Interruptions and route changes of the stream's device, for one consumer. Bounded: the newest 256 wait. Ends
    /// with the stream.
    public var events: AsyncStream<AudioSession.Event> { session.events }
    /// The stream's present state with its device.
    public var state: AudioSession.State { session.state }
    /// The name of the device in use, or of the last one.
    public var route: String { session.route }

    private let queue: PlaybackQueue
    private let session: SessionDriver
    private let thread: StreamSession
    private let service: StreamSession
    private let ready: WakeSignal
    private let reopens: PlaybackThread.Reopens
    private let logger: Logger

    private init(
        format: AudioFormat, _ queue: PlaybackQueue, _ session: SessionDriver, thread: StreamSession,
        service: StreamSession, ready: WakeSignal, reopens: PlaybackThread.Reopens, logger: Logger
    ) {
        self.format = format
        self.queue = queue
        self.session = session
        self.thread = thread
        self.service = service
        self.ready = ready
        self.reopens = reopens
        self.logger = logger
    }

    deinit {
        thread.requestStop()
        service.requestStop()
        ready.signal()
    }

    /// Opens a device; it stays silent until `play`. `recovery` decides what happens when the device fails later; a
    /// device that cannot be opened now is an error in any case.
    ///
    /// Throws `deviceNotFound` (also when there is no sound card at all), `deviceBusy`, `permission`,
    /// `formatNotSupported`, `unplugged`, `io`; the message says what to do.
    public static func start(
        device: AudioDevice = .default, configuration: StreamConfiguration = StreamConfiguration(),
        recovery: AudioRecovery = .never, logger: Logger = .disabled
    ) async throws(AudioError) -> AudioPlayback {
        try configuration.validate()
        let thread = try StreamSession()
        let service = try StreamSession()
        let ready = try WakeSignal()
        let format = configuration.format
        let session = SessionDriver(device: device, recovery: recovery)
        let queue = PlaybackQueue(
            format: format, limit: max(1, format.frames(in: configuration.backlog)), wake: thread.wake,
            session: session)
        let reopens = PlaybackThread.Reopens()
        try await thread.start(name: "parley-playback") { () throws(AudioError) in
            let work = PlaybackThread(
                configuration: configuration, queue: queue, session: session, ready: ready, wake: thread.wake,
                reopens: reopens, isStopped: { thread.mustStop })
            let pcm = try work.open(device)
            let link = try work.attach(pcm, startingAt: 0)
            return { work.run(pcm, link) }
        }
        do throws(AudioError) {
            try await service.start(name: "parley-service") { () throws(AudioError) in
                {
                    while !service.mustStop {
                        ready.wait()
                        queue.update { _ in }
                    }
                    session.finish()
                }
            }
        } catch {
            await thread.stop()
            throw error
        }
        logger.debug("playback started on \(device.name, privacy: .public), \(format, privacy: .public)")
        return AudioPlayback(
            format: format, queue, session, thread: thread, service: service, ready: ready, reopens: reopens,
            logger: logger)
    }

    /// Appends a buffer and returns when no more than `StreamConfiguration.backlog` still waits in the queue.
    /// Returns the number of the buffer's first frame, for `audible(frame:)`.
    ///
    /// Throws `formatNotSupported` for a buffer in another format (convert it with `AudioBuffer.converted`), `closed`
    /// after `stop()`, the device's failure, and `CancellationError`: then the buffer stays in the queue, and `flush()`
    /// removes it.
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
        try result(of: await queue.wait(for: .space))
        return first ?? 0
    }

    /// The number of frames that `play` has taken so far, which is the number of the next buffer's first frame.
    public var framesAccepted: Int { queue.update { $0.accepted } }

    /// The number of frames heard so far, by the device's report of its delay; updated once in a period. Flushed frames
    /// are not counted.
    public var framesHeard: Int { queue.update { $0.heard } }

    /// The sound that is played from now on, announced before it is heard, with its instant: the input of an echo
    /// canceller (`VoiceProcessor.follow`). `limit` announcements wait for `take()`; about one arrives in each period.
    public func announcements(limit: Int = 512) -> PlaybackAnnouncements {
        let announcements = PlaybackAnnouncements(limit: limit)
        queue.add(announcements)
        return announcements
    }

    /// The errors so far that did not end the stream: `xruns` counts the times that the queue ran dry in mid-sound.
    public var statistics: StreamStatistics {
        StreamStatistics(xruns: queue.update { $0.xruns }, reopens: reopens.count.load(ordering: .relaxed))
    }

    /// The number of waits of the audio thread.
    var waits: Int { thread.wake.waits.load(ordering: .relaxed) }

    /// The measured rate of the device's clock since its last start; nil at first.
    public var clock: DeviceClock.Estimate? { queue.clock }

    /// The instant when the very first frame reached the air; waits for it. Nil if the frame was flushed, the stream
    /// ended, or the task was cancelled before.
    public func firstFrameAudible() async -> ContinuousClock.Instant? { await audible(frame: 0) }

    /// The instant when frame number `frame` reached the air; waits for it. Nil as for `firstFrameAudible()`. As
    /// accurate as the device's report of its delay, about a period on plain hardware.
    public func audible(frame: Int) async -> ContinuousClock.Instant? {
        guard case .done(let instant) = await queue.wait(for: .heard(frame)) else { return nil }
        return instant
    }

    /// Waits until every frame taken before this call was heard or flushed. The stream can be used further.
    ///
    /// Throws the device's failure, `closed` if the stream is stopped before, and `CancellationError`: the sound
    /// continues then.
    public func drain() async throws {
        let target = queue.update { state in
            state.askForDrain()
            return state.accepted
        }
        try result(of: await queue.wait(for: .drained(upTo: target)))
    }

    /// Silences playback at once: drops the queue and the device's buffer. A device that gives back unplayed frames
    /// (`snd_pcm_rewind`) fades out over 5 ms; another one is stopped. Returns when that is done, at most one period
    /// later. Tasks that wait in `play` and `drain` continue.
    public func flush() async {
        let number = queue.update { $0.askForFlush() }
        _ = await queue.wait(for: .flushed(number))
    }

    /// Stops the device, drops the unheard frames, and waits for the thread to end. Calling it again does nothing.
    public func stop() async {
        await thread.stop()
        service.requestStop()
        ready.signal()
        await service.stop()
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
