// SPDX-License-Identifier: MIT
import Concurrency
public import Diagnostics
internal import Synchronization

/// A running microphone: one ALSA capture stream on its own thread, and a second thread that delivers.
///
/// It runs until `stop()`, the end of a virtual card's file, or a failure that its `AudioRecovery` does not repair,
/// which the stream of buffers throws. An overrun is repaired and counted. Dropping the last reference stops it too.
public final class AudioCapture: Sendable {
    /// The sound, one period per buffer or several (`gather`), for one consumer.
    ///
    /// Bounded: at most `StreamConfiguration.backlog` waits. When the consumer is slower, the oldest buffer is dropped
    /// and counted in `statistics`, and the positions show the gap; a patient virtual card, and an ALSA device without
    /// a clock (`null`, `file`), waits instead. The stream ends after `stop()`, after the end of a virtual card's
    /// sound, and when the consuming task is cancelled; it throws `AudioError` (`unplugged`, `stalled`, `io` …) when
    /// the device fails.
    public let buffers: AsyncThrowingStream<CapturedBuffer, any Error>

    /// Interruptions and route changes of the stream's device, for one consumer. Bounded: the newest 256 wait. Ends
    /// with the stream.
    public var events: AsyncStream<AudioSession.Event> { session.events }
    /// The stream's present state with its device.
    public var state: AudioSession.State { session.state }
    /// The name of the device in use, or of the last one.
    public var route: String { session.route }

    private let queue: CaptureQueue
    private let shared: CaptureShared
    private let session: SessionDriver
    private let thread: StreamSession
    private let delivery: StreamSession
    private let logger: Logger

    private init(
        _ queue: CaptureQueue, _ shared: CaptureShared, _ session: SessionDriver, thread: StreamSession,
        delivery: StreamSession, logger: Logger
    ) {
        self.queue = queue
        self.shared = shared
        self.session = session
        self.thread = thread
        self.delivery = delivery
        self.logger = logger
        buffers = AsyncThrowingStream { try await queue.next() }
    }

    deinit {
        delivery.requestStop()
        shared.ready.signal()
        thread.requestStop()
    }

    /// Opens a device and starts it; returns when sound is on its way. `recovery` decides what happens when the device
    /// fails later; a device that cannot be opened now is an error in any case.
    ///
    /// Throws `deviceNotFound` (also when there is no sound card at all), `deviceBusy`, `permission`,
    /// `formatNotSupported`, `unplugged`, `io`; the message says what to do.
    public static func start(
        device: AudioDevice = .default, configuration: StreamConfiguration = StreamConfiguration(),
        recovery: AudioRecovery = .never, logger: Logger = .disabled
    ) async throws(AudioError) -> AudioCapture {
        try configuration.validate()
        let thread = try StreamSession()
        let delivery = try StreamSession()
        let shared = try CaptureShared(format: configuration.format)
        let session = SessionDriver(device: device, recovery: recovery)
        let periods = max(1, Int(configuration.backlog / configuration.period))
        let queue = CaptureQueue(capacity: min(periods, 100_000), space: shared.ready)
        try await thread.start(name: "parley-capture") { () throws(AudioError) in
            let work = CaptureThread(
                configuration: configuration, shared: shared, wake: thread.wake, session: session,
                isStopped: { thread.mustStop })
            let pcm = try work.open(device)
            return { work.run(pcm) }
        }
        do throws(AudioError) {
            try await delivery.start(name: "parley-deliver") { () throws(AudioError) in
                let work = CaptureDelivery(
                    configuration: configuration, shared: shared, queue: queue, session: session, wake: thread.wake,
                    isStopped: { delivery.mustStop })
                return { work.run() }
            }
        } catch {
            await thread.stop()
            throw error
        }
        logger.debug("capture started on \(device.name, privacy: .public), \(configuration.format, privacy: .public)")
        return AudioCapture(queue, shared, session, thread: thread, delivery: delivery, logger: logger)
    }

    /// Delivers `periods` periods at once from now on, in one buffer. The default and minimum is 1, the maximum half of
    /// the device's buffer. No thread wakes in between, so that listening to silence costs little, and sound arrives
    /// later by that time. Fewer than before takes effect at once, with the frames that the device has by then.
    public func gather(periods: Int) {
        let wanted = max(1, periods)
        let before = shared.gathered.exchange(wanted, ordering: .relaxed)
        if wanted < before { thread.wake.signal() }
    }

    /// The errors so far that did not end the stream.
    public var statistics: StreamStatistics {
        var statistics = queue.statistics
        statistics.xruns = shared.xruns.load(ordering: .relaxed)
        statistics.reopens = shared.reopens.load(ordering: .relaxed)
        return statistics
    }

    /// The number of waits of the audio thread.
    var waits: Int { thread.wake.waits.load(ordering: .relaxed) }

    /// The measured rate of the device's clock since the last interruption; nil at first.
    public var clock: DeviceClock.Estimate? { shared.clock.withLock { $0.estimate } }

    /// Stops the device and waits for its threads to end. Earlier sound is still delivered, then the stream ends.
    /// Calling it again does nothing.
    public func stop() async {
        await thread.stop()
        delivery.requestStop()
        shared.ready.signal()
        await delivery.stop()
        let statistics = statistics
        if statistics != StreamStatistics() {
            logger.warning(
                """
                capture stopped after \(statistics.xruns, privacy: .public) overruns, \(statistics.lost, privacy: .public) \
                lost frames and \(statistics.dropped, privacy: .public) dropped buffers
                """)
        }
    }
}
