// SPDX-License-Identifier: MIT

import Concurrency

/// What a stream does when its device fails: unplugged, busy, its sound server dead, or frozen without an error.
///
/// Overruns, underruns and suspends are always mended in place; this is about devices that must be opened again.
public struct AudioRecovery: Sendable {
    /// True to open the device again at all. If not, the stream ends with the device's error.
    public var reopens: Bool
    /// How long to wait before the first try; doubled after each one that fails.
    public var firstDelay: Duration
    /// The longest wait between two tries.
    public var maximumDelay: Duration
    /// After how long without a device the stream ends with the last error; nil: it tries for ever.
    public var giveUpAfter: Duration?
    /// Another device for when the stream's own does not come back; nil: none.
    public var fallback: AudioDevice?
    /// How many tries with the stream's own device come before each one with the fallback; at least 1.
    public var triesBeforeFallback: Int
    /// How long a running device may stand still without an error before it is taken for dead; in real time. The
    /// slowest first start measured (an idle PulseAudio sink) takes 2 s.
    public var patience: Duration

    /// Ends the stream at the first failure; 5 s of patience.
    public static let never = AudioRecovery(reopens: false)

    /// Opens the device again until it is back, after 0.1 s, 0.2 s … at most 5 s.
    public static let reopen = AudioRecovery(reopens: true)

    /// Makes a policy; only `reopens` has no default.
    public init(
        reopens: Bool, firstDelay: Duration = .milliseconds(100), maximumDelay: Duration = .seconds(5),
        giveUpAfter: Duration? = nil, fallback: AudioDevice? = nil, triesBeforeFallback: Int = 2,
        patience: Duration = .seconds(5)
    ) {
        self.reopens = reopens
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
        self.giveUpAfter = giveUpAfter
        self.fallback = fallback
        self.triesBeforeFallback = triesBeforeFallback
        self.patience = patience
    }

    /// The wait before try number `attempt`, counted from 1.
    func delay(before attempt: Int) -> Duration {
        Backoff(first: firstDelay, longest: maximumDelay, jitter: .none).delay(afterFailures: attempt)
    }
}
