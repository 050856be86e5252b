// SPDX-License-Identifier: MIT

/// The state of an item.
public struct ItemStatus: RawRepresentable, Hashable, Sendable {
    /// The API's word.
    public let rawValue: String

    /// A status by the API's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Still being made.
    public static let inProgress = ItemStatus(rawValue: "in_progress")
    /// Whole.
    public static let completed = ItemStatus(rawValue: "completed")
    /// Cut off.
    public static let incomplete = ItemStatus(rawValue: "incomplete")
}
