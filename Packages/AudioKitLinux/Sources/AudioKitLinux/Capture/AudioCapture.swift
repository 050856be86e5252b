// SPDX-License-Identifier: MIT
public import Diagnostics

/// A running microphone: one ALSA capture stream on a thread of its own.
///
/// It runs until `stop()`, the end of a virtual card's file, or a failure, which the stream of buffers throws. An
/// overrun is mended and counted. Dropping the last reference stops it too.
public final class AudioCapture: Sendable {
    /// The sound, one period after the other, for one consumer.
    ///
    /// Bounded: at most `StreamConfiguration.backlog` waits. When the consumer is slower, the oldest buffer is dropped
    /// and counted in `statistics`, and the positions show the gap; a patient virtual card, and an ALSA device without
    /// a clock (`null`, `file`), waits instead. The stream ends after `stop()`, after the end of a virtual card's sound, and when the consuming task is cancelled; it
    /// throws `AudioError` (`unplugged`, `stalled`, `io` …) when the device fails.
    public let buffers: AsyncThrowingStream<CapturedBuffer, any Error>

    private let queue: CaptureQueue
    private let session: StreamSession
    private let logger: Logger

    private init(queue: CaptureQueue, session: StreamSession, logger: Logger) {
        self.queue = queue
        self.session = session
        self.logger = logger
        buffers = AsyncThrowingStream { try await queue.next() }
    }

    deinit { session.requestStop() }

    /// Opens a device and starts it; returns when sound is on its way.
    ///
    /// Throws `deviceNotFound` (also when there is no sound card at all), `deviceBusy`, `permission`,
    /// `formatNotSupported`, `unplugged`, `io`; the message says what to do.
    public static func start(
        device: AudioDevice = .default, configuration: StreamConfiguration = StreamConfiguration(),
        logger: Logger = .disabled
    ) async throws(AudioError) -> AudioCapture {
        try configuration.validate()
        let session = try StreamSession()
        let periods = max(1, Int(configuration.backlog / configuration.period))
        let queue = CaptureQueue(capacity: min(periods, 100_000), space: session.wake)
        try await session.start(name: "parley-capture") { () throws(AudioError) in
            let pcm = try PCMHandle(device, .capture, configuration, wake: session.wake)
            if !pcm.isVirtual { AudioThread.raisePriority() }
            try pcm.check(pcm.start())
            return {
                do throws(AudioError) {
                    try CaptureLoop(
                        pcm: pcm, queue: queue, wake: session.wake, isStopped: { session.mustStop }
                    ).run()
                    queue.finish(.success(()))
                } catch { queue.finish(.failure(error)) }
            }
        }
        logger.debug("capture started on \(device.name, privacy: .public), \(configuration.format, privacy: .public)")
        return AudioCapture(queue: queue, session: session, logger: logger)
    }

    /// What went wrong so far without ending the stream.
    public var statistics: StreamStatistics { queue.statistics }

    /// Stops the device and waits for its thread to end. What was captured before is still delivered, then the stream
    /// ends. Calling it again does nothing.
    public func stop() async {
        await session.stop()
        let statistics = statistics
        if statistics != StreamStatistics() {
            logger.warning(
                """
                capture stopped after \(statistics.xruns, privacy: .public) overruns and \
                \(statistics.dropped, privacy: .public) dropped buffers
                """)
        }
    }
}
