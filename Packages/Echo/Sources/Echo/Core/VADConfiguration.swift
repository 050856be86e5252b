// SPDX-License-Identifier: MIT

/// How the server tells speech from silence.
public struct VADConfiguration: Sendable, Hashable {
    /// How loud speech is, from 0 to 1; higher for noisy rooms.
    public var threshold: Double
    /// How long it is silent after the last word.
    public var silenceDuration: Duration
    /// How much sound before the first word belongs to it.
    public var prefixPadding: Duration

    /// The API's defaults, or others.
    public init(
        threshold: Double = 0.5, silenceDuration: Duration = .milliseconds(500),
        prefixPadding: Duration = .milliseconds(300)
    ) {
        self.threshold = threshold
        self.silenceDuration = silenceDuration
        self.prefixPadding = prefixPadding
    }

    /// The API's defaults.
    public static let `default` = VADConfiguration()
}
