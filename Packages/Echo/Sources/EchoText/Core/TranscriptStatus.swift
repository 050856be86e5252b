// SPDX-License-Identifier: MIT

/// The state of a message's text.
public enum TranscriptStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// The message has sound, and no text yet.
    case notStarted
    /// The text is incomplete.
    case inProgress
    /// The text is complete; or it will never arrive, and ``Message/transcriptFailure`` says why.
    case completed
    /// The message was text from the start.
    case notApplicable

    /// True if the message may be released.
    var isReady: Bool { self == .completed || self == .notApplicable }
}
