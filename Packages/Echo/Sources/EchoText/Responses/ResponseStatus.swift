// SPDX-License-Identifier: MIT

/// The state of an answer.
public struct ResponseStatus: RawRepresentable, Hashable, Sendable {
    /// The API's word.
    public let rawValue: String

    /// A status by the API's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The request waits at the server.
    public static let queued = ResponseStatus(rawValue: "queued")
    /// The answer is in progress.
    public static let inProgress = ResponseStatus(rawValue: "in_progress")
    /// The answer is whole.
    public static let completed = ResponseStatus(rawValue: "completed")
    /// The answer is cut off; ``Response/incompleteReason`` says why.
    public static let incomplete = ResponseStatus(rawValue: "incomplete")
    /// The model failed; ``Response/failure`` says why.
    public static let failed = ResponseStatus(rawValue: "failed")
    /// The answer was cancelled.
    public static let cancelled = ResponseStatus(rawValue: "cancelled")

    /// True if the status will not change any more.
    public var isFinal: Bool { self != .queued && self != .inProgress }
}
