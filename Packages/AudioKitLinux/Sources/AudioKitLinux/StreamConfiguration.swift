// SPDX-License-Identifier: MIT

/// What a capture or playback stream asks of its device.
public struct StreamConfiguration: Sendable, Hashable {
    /// The format at the program's side. A device name with a `plug` in it ("default", "plughw:0") converts.
    public var format: AudioFormat
    /// How often the device hands over sound. The device may choose a neighbouring value.
    public var period: Duration
    /// How much the device holds; at least two periods. The device may choose a neighbouring value.
    public var buffer: Duration
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

    /// Makes statistics; both zero unless given.
    public init(xruns: Int = 0, dropped: Int = 0) {
        self.xruns = xruns
        self.dropped = dropped
    }
}
