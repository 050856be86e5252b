// SPDX-License-Identifier: MIT

/// The format of a stream of sound: frames per second and samples per frame.
public struct AudioFormat: Sendable, Hashable, CustomStringConvertible {
    /// Frames per second, in hertz.
    public var sampleRate: Int
    /// Samples per frame: 1 is mono, 2 is stereo.
    public var channels: Int

    /// 16 kHz mono: the format of this repository's recognisers and synthesisers.
    public static let speech = AudioFormat(sampleRate: 16_000, channels: 1)

    /// Makes a format. Any value is accepted here; a device or file that cannot do it says so when it is opened.
    public init(sampleRate: Int, channels: Int = 1) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// For example `16000 Hz, 1 channel`.
    public var description: String {
        "\(sampleRate) Hz, \(channels) \(channels == 1 ? "channel" : "channels")"
    }

    /// The duration of `count` frames, rounded down to the nanosecond.
    public func duration(ofFrames count: Int) -> Duration {
        guard sampleRate > 0 else { return .zero }
        let (seconds, rest) = count.quotientAndRemainder(dividingBy: sampleRate)
        return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / sampleRate)
    }

    /// The number of frames in `duration`, rounded to the nearest; for a duration longer than any sound, the largest
    /// number that arithmetic can still use.
    public func frames(in duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = Int(seconds).multipliedReportingOverflow(by: sampleRate)
        // Longer than any sound: returns the largest number.
        guard !isTooLong, abs(whole) < Int.max / 2 else { return seconds > 0 ? Int.max / 2 : Int.min / 2 }
        return whole + Int((Double(attoseconds) * 1e-18 * Double(sampleRate)).rounded())
    }

    /// True for a rate from 1 Hz to 1 MHz and 1 to 256 channels.
    package var isPlausible: Bool {
        (1...1_000_000).contains(sampleRate) && (1...256).contains(channels)
    }
}
