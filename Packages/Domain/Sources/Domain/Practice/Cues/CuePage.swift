// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A place in a list of cues: after this cue. It stays right when cues are added or removed.
public struct CueCursor: Hashable, Sendable, CustomStringConvertible {
    /// The cue's place in the query's order, ``CueQuery/Order/sortKey(of:)``.
    public let sortKey: Int64
    /// The cue.
    public let id: Identifier<Cue>

    /// The place after a cue in an order.
    public init(after cue: Cue, in order: CueQuery.Order) {
        self.init(sortKey: order.sortKey(of: cue), id: cue.id)
    }

    /// The place after a cue that need not be there any more.
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

    /// Whether a cue comes after this place.
    public func precedes(_ cue: Cue, in order: CueQuery.Order) -> Bool {
        let key = order.sortKey(of: cue)
        return key == sortKey ? id < cue.id : sortKey < key
    }
}

/// How new a page is.
public enum Freshness: Hashable, Sendable {
    /// As the server has it now, or there is no server.
    case current
    /// As the server had it at that time, or never yet; it is being refreshed.
    case stored(Date?)
    /// As the server had it at that time, or never yet; refreshing it failed.
    case old(Date?, DomainError)
}

/// An item of a page that could not be read, and was left out.
public struct SkippedItem: Hashable, Sendable {
    /// Its place in the page, from 0.
    public let index: Int
    /// What is wrong with it.
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
    /// Where the next page starts; `nil` after the last one.
    public var next: CueCursor?
    /// How new it is.
    public var freshness: Freshness
    /// What was left out since it could not be read.
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

    /// The page of a query among all cues that there are: what every ``CueRepository`` has to agree with.
    public init(of query: CueQuery, after cursor: CueCursor?, among cues: [Cue], where matches: (Cue) -> Bool) {
        let listed = cues.filter { cue in matches(cue) && cursor?.precedes(cue, in: query.order) ?? true }
        let places = listed.map { CueCursor(after: $0, in: query.order) }
        let sorted = zip(places, listed).sorted { ($0.0.sortKey, $0.0.id) < ($1.0.sortKey, $1.0.id) }
        let page = sorted.prefix(query.limit)
        self.init(cues: page.map(\.1), next: sorted.count > page.count ? page.last?.0 : nil)
    }
}
