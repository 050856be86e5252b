// SPDX-License-Identifier: MIT

/// How fast and how wide a stream of sound is: frames per second and samples per frame.
public struct AudioFormat: Sendable, Hashable, CustomStringConvertible {
    /// Frames per second, in hertz.
    public var sampleRate: Int
    /// Samples per frame: 1 is mono, 2 is stereo.
    public var channels: Int

    /// 16 kHz mono: what the recognisers and synthesisers of this repository use.
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

    /// How long `count` frames last, to the nanosecond below.
    public func duration(ofFrames count: Int) -> Duration {
        guard sampleRate > 0 else { return .zero }
        let (seconds, rest) = count.quotientAndRemainder(dividingBy: sampleRate)
        return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / sampleRate)
    }

    /// How many whole frames fit in `duration`, rounded to the nearest; for a duration longer than any sound, the
    /// largest number that can still be calculated with.
    public func frames(in duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = Int(seconds).multipliedReportingOverflow(by: sampleRate)
        // Longer than any sound: the largest number stands for it.
        guard !isTooLong, abs(whole) < Int.max / 2 else { return seconds > 0 ? Int.max / 2 : Int.min / 2 }
        return whole + Int((Double(attoseconds) * 1e-18 * Double(sampleRate)).rounded())
    }

    var isPlausible: Bool {
        (1...1_000_000).contains(sampleRate) && (1...256).contains(channels)
    }
}
