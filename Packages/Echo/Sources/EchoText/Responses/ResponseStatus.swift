// SPDX-License-Identifier: MIT

/// The state of an answer.
package struct ResponseStatus: RawRepresentable, Hashable, Sendable {
    /// The API's word.
    package let rawValue: String

    /// A status by the API's word.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The request waits at the server.
    package static let queued = ResponseStatus(rawValue: "queued")
    /// The answer is in progress.
    package static let inProgress = ResponseStatus(rawValue: "in_progress")
    /// The answer is whole.
    package static let completed = ResponseStatus(rawValue: "completed")
    /// The answer is cut off; ``Response/incompleteReason`` says why.
    package static let incomplete = ResponseStatus(rawValue: "incomplete")
    /// The model failed; ``Response/failure`` says why.
    package static let failed = ResponseStatus(rawValue: "failed")
    /// The answer was cancelled.
    package static let cancelled = ResponseStatus(rawValue: "cancelled")

    /// True if the status will not change any more.
    package var isFinal: Bool { self != .queued && self != .inProgress }
}
