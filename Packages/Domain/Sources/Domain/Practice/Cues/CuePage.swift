// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A position in a list of cues: after this cue. It stays valid when cues are added or removed.
public struct CueCursor: Hashable, Sendable, CustomStringConvertible {
    /// The cue's sort key in the query's order, ``CueQuery/Order/sortKey(of:)``.
    public let sortKey: Int64
    /// The cue.
    public let id: Identifier<Cue>

    /// The cursor after a cue in an order.
    public init(after cue: Cue, in order: CueQuery.Order) {
        self.init(sortKey: order.sortKey(of: cue), id: cue.id)
    }

    /// The cursor after a cue that may have been removed.
    public init(sortKey: Int64, id: Identifier<Cue>) {
        self.sortKey = sortKey
        self.id = id
    }

    /// Parses the text form; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, let key = Int64(parts[0]), let id = Identifier<Cue>(String(parts[1])) else {
            return nil
        }
        self.init(sortKey: key, id: id)
    }

    /// The text form, of digits, small letters, "-" and "_".
    public var description: String { "\(sortKey)_\(id)" }

    /// True if a cue follows this cursor in an order.
    public func precedes(_ cue: Cue, in order: CueQuery.Order) -> Bool {
        let key = order.sortKey(of: cue)
        return key == sortKey ? id < cue.id : sortKey < key
    }
}

/// The age of a page's data.
public enum Freshness: Hashable, Sendable {
    /// The server's present data, or there is no server.
    case current
    /// The server's data of that time, or never fetched; it is being refreshed.
    case stored(Date?)
    /// The server's data of that time, or never fetched; refreshing it failed.
    case old(Date?, DomainError)
}

/// An item of a page that could not be read, and was left out.
public struct SkippedItem: Hashable, Sendable {
    /// Its index in the page, from 0.
    public let index: Int
    /// The reason why it could not be read.
    public let reason: String
    /// Its id, where that can be read.
    public let id: String?

    /// A skipped item.
    public init(index: Int, reason: String, id: String? = nil) {
        self.index = index
        self.reason = reason
        self.id = id
    }
}

/// Some cues of a list, in its order.
public struct CuePage: Hashable, Sendable {
    /// The cues.
    public var cues: [Cue]
    /// The cursor of the next page; `nil` after the last one.
    public var next: CueCursor?
    /// The age of its data.
    public var freshness: Freshness
    /// The items that were left out since they could not be read.
    public var skipped: [SkippedItem]

    /// A page.
    public init(
        cues: [Cue], next: CueCursor? = nil, freshness: Freshness = .current, skipped: [SkippedItem] = []
    ) {
        self.cues = cues
        self.next = next
        self.freshness = freshness
        self.skipped = skipped
    }

    /// The page of a query among all existing cues: the result that every ``CueRepository`` must agree with.
    public init(of query: CueQuery, after cursor: CueCursor?, among cues: [Cue], where matches: (Cue) -> Bool) {
        let listed = cues.filter { cue in matches(cue) && cursor?.precedes(cue, in: query.order) ?? true }
        let places = listed.map { CueCursor(after: $0, in: query.order) }
        let sorted = zip(places, listed).sorted { ($0.0.sortKey, $0.0.id) < ($1.0.sortKey, $1.0.id) }
        let page = sorted.prefix(query.limit)
        self.init(cues: page.map(\.1), next: sorted.count > page.count ? page.last?.0 : nil)
    }
}
