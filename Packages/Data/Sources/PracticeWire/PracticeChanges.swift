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

/// The changes of an account's results, on the wire.
public struct PracticeChangesDTO: Codable, Hashable, Sendable {
    /// The added results; unreadable ones are skipped.
    public var items: PageItems<PracticeResultDTO>
    /// The ids of the deleted results, UUIDs.
    public var deleted: [String]
    /// The cursor after these changes, for the next request.
    public var next: String
    /// True if there are more changes at the moment.
    public var hasMore: Bool

    enum CodingKeys: String, CodingKey {
        case items, deleted, next
        case hasMore = "has_more"
    }

    /// Makes the wire form of changes.
    public init(_ changes: PracticeChanges) {
        items = PageItems(changes.results.map(PracticeResultDTO.init))
        deleted = changes.deleted.map(\.description)
        next = "\(changes.next)"
        hasMore = changes.hasMore
    }

    /// The changes; broken results are in ``PracticeChanges/skipped``.
    ///
    /// - Throws: ``MappingFailure`` if the cursor or an id is invalid.
    public func changes() throws(MappingFailure) -> PracticeChanges {
        guard let cursor = Int64(next), cursor >= 0 else { throw MappingFailure("next", "is not a valid cursor") }
        var changes = PracticeChanges(next: cursor, hasMore: hasMore)
        (changes.results, changes.skipped) = items.mapped(id: \.id) { (item) throws(MappingFailure) in
            try item.result()
        }
        for (index, text) in deleted.enumerated() {
            changes.deleted.append(try WireValue.identifier(text, "deleted.\(index)"))
        }
        return changes
    }
}

extension QueryParameters {
    /// The parameters of `GET /changes`.
    public init(changesAfter cursor: Int64, limit: Int) {
        self.init()
        add("after", cursor)
        add("limit", limit)
    }

    /// The cursor, 0 for the first, and the limit in the parameters of `GET /changes`.
    ///
    /// - Throws: ``MappingFailure`` that names the parameter.
    public func changesQuery() throws(MappingFailure) -> (after: Int64, limit: Int) {
        let cursor = try map("after") { (text, name) throws(MappingFailure) -> Int64 in
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let cursor = Int64(text) else {
                throw MappingFailure(name, "is not a valid cursor")
            }
            return cursor
        }
        return (cursor ?? 0, try limit(PracticeChanges.limits) ?? 50)
    }
}
