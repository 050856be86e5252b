// SPDX-License-Identifier: MIT

/// The state of an answer.
public struct ResponseStatus: RawRepresentable, Hashable, Sendable {
    /// The API's word.
    public let rawValue: String

    /// A status by the API's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It waits for its turn.
    public static let queued = ResponseStatus(rawValue: "queued")
    /// It is being made.
    public static let inProgress = ResponseStatus(rawValue: "in_progress")
    /// It is whole.
    public static let completed = ResponseStatus(rawValue: "completed")
    /// It is cut off; ``Response/incompleteReason`` says why.
    public static let incomplete = ResponseStatus(rawValue: "incomplete")
    /// The model failed; ``Response/failure`` says why.
    public static let failed = ResponseStatus(rawValue: "failed")
    /// It was called off.
    public static let cancelled = ResponseStatus(rawValue: "cancelled")

    /// True if nothing more will come.
    public var isFinal: Bool { self != .queued && self != .inProgress }
}
