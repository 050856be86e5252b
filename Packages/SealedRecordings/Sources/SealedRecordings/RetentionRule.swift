// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The limits on the age, size and number of recordings. A value: it lists the ones to delete, and deletes nothing.
public struct RetentionRule: Sendable, Hashable {
    /// The facts about a recording that the rule needs.
    public struct Item: Sendable, Hashable {
        /// The recording's id.
        public let id: String
        /// The time at which it was made.
        public let recordedAt: Date
        /// The bytes of disk that it takes.
        public let byteCount: Int
        /// True if the server has it.
        public let isUploaded: Bool

        /// Makes an item.
        public init(id: String, recordedAt: Date, byteCount: Int, isUploaded: Bool) {
            self.id = id
            self.recordedAt = recordedAt
            self.byteCount = byteCount
            self.isUploaded = isUploaded
        }
    }

    /// Recordings above this age are deleted; none for their age if nil. A recording with a date in the future has no
    /// age.
    public var maximumAge: Duration?
    /// The most bytes that are kept; any number if nil.
    public var maximumByteCount: Int?
    /// The most recordings that are kept; any number if nil.
    public var maximumCount: Int?
    /// True if recordings that the server lacks may be deleted, too. They count towards the limits in any case.
    public var deletesUnsent: Bool

    /// Keeps everything by default.
    public init(
        maximumAge: Duration? = nil, maximumByteCount: Int? = nil, maximumCount: Int? = nil, deletesUnsent: Bool = false
    ) {
        self.maximumAge = maximumAge
        self.maximumByteCount = maximumByteCount
        self.maximumCount = maximumCount
        self.deletesUnsent = deletesUnsent
    }

    /// The ids of the recordings to delete, the oldest first: all expired ones, then as many of the oldest as the other
    /// limits require. Recordings of one instant are deleted in the order of their ids.
    ///
    /// A recording that may not be deleted stays, even if that breaks a limit.
    public func deletions(among items: [Item], now: Date) -> [String] {
        let deletable = items.filter { deletesUnsent || $0.isUploaded }
            .sorted { ($0.recordedAt, $0.id) < ($1.recordedAt, $1.id) }
        var byteCount = items.reduce(0) { $0 + $1.byteCount }
        var count = items.count
        var deleted: [String] = []
        for item in deletable {
            let isTooOld = maximumAge.map { now.timeIntervalSince(item.recordedAt) > Self.seconds($0) } ?? false
            guard isTooOld || byteCount > maximumByteCount ?? .max || count > maximumCount ?? .max else { break }
            deleted.append(item.id)
            byteCount -= item.byteCount
            count -= 1
        }
        return deleted
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
