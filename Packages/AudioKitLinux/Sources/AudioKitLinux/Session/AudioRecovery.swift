// SPDX-License-Identifier: MIT

import Concurrency

/// A stream's response to the failure of its device: unplugged, busy, sound server dead, or frozen without an error.
///
/// Overruns, underruns and suspends are always repaired in place; this is about devices that must be opened again.
public struct AudioRecovery: Sendable {
    /// True to open the device again at all. If not, the stream ends with the device's error.
    public var reopens: Bool
    /// The wait before the first try; doubled after each failed one.
    public var firstDelay: Duration
    /// The longest wait between two tries.
    public var maximumDelay: Duration
    /// The time without a device after which the stream ends with the last error; nil to try for ever.
    public var giveUpAfter: Duration?
    /// Another device to use while the stream's own stays missing; nil for no fallback.
    public var fallback: AudioDevice?
    /// The number of tries with the stream's own device before each one with the fallback; at least 1.
    public var triesBeforeFallback: Int
    /// The time for which a running device may stall without an error before it counts as dead; in real time. The
    /// slowest first start measured (an idle PulseAudio sink) takes 2 s.
    public var patience: Duration

    /// Ends the stream at the first failure; 5 s of patience.
    public static let never = AudioRecovery(reopens: false)

    /// Opens the device again until it succeeds, after 0.1 s, 0.2 s … at most 5 s.
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
