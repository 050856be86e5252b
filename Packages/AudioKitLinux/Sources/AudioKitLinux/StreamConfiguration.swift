// SPDX-License-Identifier: MIT

/// What a capture or playback stream asks of its device.
public struct StreamConfiguration: Sendable, Hashable {
    /// How samples travel between the program and the device.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// Memory-mapped where the device itself shows its memory, else by copies.
        case automatic
        /// Always by copies through ALSA (`snd_pcm_readi`, `snd_pcm_writei`).
        case readWrite
        /// Memory-mapped also where ALSA only pretends to; by copies where even that is refused.
        case memoryMapped
    }

    /// The format at the program's side. What the device has not, is resampled (SpeexDSP) and mixed in this process,
    /// outside the audio thread.
    public var format: AudioFormat
    /// How often the device hands over sound. The device may choose a neighbouring value.
    public var period: Duration
    /// How much the device holds; at least two periods. The device may choose a neighbouring value.
    public var buffer: Duration
    /// The way of the samples; automatic unless set.
    public var access = Access.automatic
    /// The samples that the device must use; nil (the default) takes the first of `PCMSampleType` that it has.
    public var sampleType: PCMSampleType?
    /// How much sound waits in the process: in capture for a slow consumer (then the oldest is dropped), in playback
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

    /// Throws `formatNotSupported` for values that no device could have.
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

/// What went wrong so far in a stream that still runs.
public struct StreamStatistics: Sendable, Hashable {
    /// How often the device ran over (capture) or dry (playback), or was suspended, and was started again.
    public var xruns: Int
    /// How many captured buffers were dropped because the consumer was slower than the device; 0 for playback.
    public var dropped: Int
    /// How many frames, in the stream's format, were lost between the microphone and the stream: in overruns, suspends
    /// and while the device was away. They widen the positions. Exact on a virtual card; elsewhere as exact as the
    /// driver's time stamps. 0 for playback.
    public var lost: Int
    /// How often the device was opened again after it had failed.
    public var reopens: Int

    /// Makes statistics; all zero unless given.
    public init(xruns: Int = 0, dropped: Int = 0, lost: Int = 0, reopens: Int = 0) {
        self.xruns = xruns
        self.dropped = dropped
        self.lost = lost
        self.reopens = reopens
    }

    /// Adds those of another stream.
    mutating func add(_ other: StreamStatistics) {
        xruns += other.xruns
        dropped += other.dropped
        lost += other.lost
        reopens += other.reopens
    }
}
