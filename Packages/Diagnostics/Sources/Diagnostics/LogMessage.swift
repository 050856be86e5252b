// SPDX-License-Identifier: MIT

/// A log text whose interpolated values are private unless they are marked public, as OSLog's are.
///
/// `"opened \(path) in \(milliseconds, privacy: .public) ms"` reads `opened <private> in 3 ms` in every sink. The
/// private text survives only until the message becomes a ``LogRecord``, unless that record's logger was made with
/// `revealsPrivate: true` (a switch for development).
public struct LogMessage: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The text with every private value replaced by its placeholder. Always safe to show.
    public let redacted: String

    /// The whole text; `nil` when nothing in it is private or when the private values were removed.
    let revealed: String?

    /// The text for a sink: whole if the logger reveals private values, redacted otherwise.
    public var text: String { revealed ?? redacted }

    /// A message without private values.
    public init(stringLiteral value: String) {
        redacted = value
        revealed = nil
    }

    /// A message from a string with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        redacted = stringInterpolation.redacted
        revealed = stringInterpolation.revealed
    }

    init(redacted: String, revealed: String?) {
        self.redacted = redacted
        self.revealed = revealed
    }

    /// The same message without its private values.
    public func withoutPrivateText() -> LogMessage { LogMessage(redacted: redacted, revealed: nil) }
}

extension LogMessage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The redacted text, so that printing a message never shows a private value.
    public var description: String { redacted }

    /// The redacted text, quoted.
    public var debugDescription: String { redacted.debugDescription }

    /// Only the redacted text, so that `dump` and a failed expectation never show a private value.
    public var customMirror: Mirror { Mirror(self, children: ["redacted": redacted]) }
}
