// SPDX-License-Identifier: MIT

public import Domain

/// What happened to an account's results after a place, the newest change of each.
public struct PracticeChanges: Hashable, Sendable {
    /// The most changes at once.
    public static let limits = 1...200

    /// Results that came, in their order.
    public var results: [PracticeResult] = []
    /// Results that were deleted.
    public var deleted: [Identifier<PracticeResult>] = []
    /// What came and could not be read.
    public var skipped: [SkippedItem] = []
    /// The place after these; 0 before the first.
    public var next: Int64
    /// Whether there are more changes at the moment.
    public var hasMore: Bool

    /// Changes up to a place.
    public init(next: Int64, hasMore: Bool) {
        self.next = next
        self.hasMore = hasMore
    }
}
