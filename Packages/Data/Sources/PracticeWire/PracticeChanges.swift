// SPDX-License-Identifier: MIT

public import Domain

/// The changes of an account's results after a cursor, the newest change of each.
public struct PracticeChanges: Hashable, Sendable {
    /// The most changes at once.
    public static let limits = 1...200

    /// The added results, in their order.
    public var results: [PracticeResult] = []
    /// The ids of the deleted results.
    public var deleted: [Identifier<PracticeResult>] = []
    /// The added results that could not be read.
    public var skipped: [SkippedItem] = []
    /// The cursor after these changes; 0 before the first.
    public var next: Int64
    /// True if there are more changes at the moment.
    public var hasMore: Bool

    /// Makes an empty list of changes up to a cursor.
    public init(next: Int64, hasMore: Bool) {
        self.next = next
        self.hasMore = hasMore
    }
}
