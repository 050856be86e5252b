// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// How long recordings are kept, and how many. A value: it says what is to be deleted, and deletes nothing.
public struct RetentionRule: Sendable, Hashable {
    /// A recording, as far as the rule looks at it.
    public struct Item: Sendable, Hashable {
        /// Which one it is.
        public let id: String
        /// When it was made.
        public let recordedAt: Date
        /// How many bytes of disk it takes.
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

    /// Recordings older than this go; none for their age if nil. One that claims to be of the future has no age.
    public var maximumAge: Duration?
    /// At most so many bytes are kept; any number if nil.
    public var maximumByteCount: Int?
    /// At most so many recordings are kept; any number if nil.
    public var maximumCount: Int?
    /// True if recordings that the server has not got may go, too. They count towards the limits in any case.
    public var deletesUnsent: Bool

    /// Keeps everything, unless told otherwise.
    public init(
        maximumAge: Duration? = nil, maximumByteCount: Int? = nil, maximumCount: Int? = nil, deletesUnsent: Bool = false
    ) {
        self.maximumAge = maximumAge
        self.maximumByteCount = maximumByteCount
        self.maximumCount = maximumCount
        self.deletesUnsent = deletesUnsent
    }

    /// The identifiers of what is to be deleted, the oldest first: all that is too old, then as many of the oldest as it takes
    /// to keep the other limits. Recordings of one instant go in the order of their identifiers.
    ///
    /// What may not be deleted stays, also where that breaks a limit.
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
