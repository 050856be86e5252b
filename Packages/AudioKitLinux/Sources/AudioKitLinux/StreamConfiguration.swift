// SPDX-License-Identifier: MIT

/// The requirements of a capture or playback stream for its device.
public struct StreamConfiguration: Sendable, Hashable {
    /// The transfer of samples between the program and the device.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// Memory-mapped if the device itself supports it, else by copies.
        case automatic
        /// Always by copies through ALSA (`snd_pcm_readi`, `snd_pcm_writei`).
        case readWrite
        /// Memory-mapped even if ALSA only emulates it; by copies if even that is refused.
        case memoryMapped
    }

    /// The format at the program's side. If the device differs, the sound is resampled (SpeexDSP) and mixed in this
    /// process, outside the audio thread.
    public var format: AudioFormat
    /// The time between two deliveries of the device. The device may choose a neighbouring value.
    public var period: Duration
    /// The length of the device's buffer; at least two periods. The device may choose a neighbouring value.
    public var buffer: Duration
    /// The transfer of the samples; automatic unless set.
    public var access = Access.automatic
    /// The sample type that the device must use; nil (the default) takes the first of `PCMSampleType` that it has.
    public var sampleType: PCMSampleType?
    /// The sound that may wait in the process: in capture for a slow consumer (then the oldest is dropped), in playback
    /// before `play` suspends.
    public var backlog: Duration

    /// Makes a configuration: 16 kHz mono, periods of 20 ms, a device buffer of 80 ms, 2 s of backlog.
    public init(
        format: AudioFormat = .speech, period: Duration = .milliseconds(20), buffer: Duration = .milliseconds(80),
        backlog: Duration = .seconds(2)
    ) {
        self.format = format
        self.period = period
        self.buffer = buffer
        self.backlog = backlog
    }

    /// Makes a configuration with the period and the buffer in frames of `format`.
    public init(
        format: AudioFormat = .speech, periodFrames: Int, bufferFrames: Int, backlog: Duration = .seconds(2)
    ) {
        self.init(
            format: format, period: format.duration(ofFrames: periodFrames),
            buffer: format.duration(ofFrames: bufferFrames), backlog: backlog)
    }

    /// Throws `formatNotSupported` for values that no device could support.
    func validate() throws(AudioError) {
        guard format.isPlausible else {
            throw AudioError(.formatNotSupported, "A stream cannot run with \(format).")
        }
        guard period >= .microseconds(100), period <= .seconds(10), buffer >= period * 2, buffer <= .seconds(60),
            backlog >= .zero, backlog <= .seconds(36_000)
        else {
            throw AudioError(
                .formatNotSupported,
                "A stream needs a period of 0.1 ms to 10 s, a device buffer of at least two periods and at most a"
                    + " minute, and a backlog of at most ten hours.")
        }
    }
}

/// The errors so far in a stream that still runs.
public struct StreamStatistics: Sendable, Hashable {
    /// The number of overruns (capture), underruns (playback) and suspends after which the device was started again.
    public var xruns: Int
    /// The number of captured buffers dropped because the consumer was slower than the device; 0 for playback.
    public var dropped: Int
    /// The number of frames, in the stream's format, lost between the microphone and the stream: in overruns, in
    /// suspends and while the device was missing. They widen the positions. Exact on a virtual card; elsewhere as exact
    /// as the driver's time stamps. 0 for playback.
    public var lost: Int
    /// The number of times that the device was opened again after a failure.
    public var reopens: Int

    /// Makes statistics; all zero unless given.
    public init(xruns: Int = 0, dropped: Int = 0, lost: Int = 0, reopens: Int = 0) {
        self.xruns = xruns
        self.dropped = dropped
        self.lost = lost
        self.reopens = reopens
    }

    /// Adds the numbers of another stream.
    mutating func add(_ other: StreamStatistics) {
        xruns += other.xruns
        dropped += other.dropped
        lost += other.lost
        reopens += other.reopens
    }
}
