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

/// What happened to an account's results, on the wire.
public struct PracticeChangesDTO: Codable, Hashable, Sendable {
    /// Results that came; what cannot be read is skipped.
    public var items: PageItems<PracticeResultDTO>
    /// The names of results that were deleted, UUIDs.
    public var deleted: [String]
    /// The place after these, for the next request.
    public var next: String
    /// Whether there are more at the moment.
    public var hasMore: Bool

    enum CodingKeys: String, CodingKey {
        case items, deleted, next
        case hasMore = "has_more"
    }

    /// Changes as the wire has them.
    public init(_ changes: PracticeChanges) {
        items = PageItems(changes.results.map(PracticeResultDTO.init))
        deleted = changes.deleted.map(\.description)
        next = "\(changes.next)"
        hasMore = changes.hasMore
    }

    /// The changes; broken results are in ``PracticeChanges/skipped``.
    ///
    /// - Throws: ``MappingFailure`` when the place or a name cannot be read.
    public func changes() throws(MappingFailure) -> PracticeChanges {
        guard let place = Int64(next), place >= 0 else { throw MappingFailure("next", "is no place in a list") }
        var changes = PracticeChanges(next: place, hasMore: hasMore)
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
    public init(changesAfter place: Int64, limit: Int) {
        self.init()
        add("after", place)
        add("limit", limit)
    }

    /// The place, 0 for the first, and how many, that the parameters of `GET /changes` stand for.
    ///
    /// - Throws: ``MappingFailure`` that names the parameter.
    public func changesQuery() throws(MappingFailure) -> (after: Int64, limit: Int) {
        let place = try map("after") { (text, name) throws(MappingFailure) -> Int64 in
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let place = Int64(text) else {
                throw MappingFailure(name, "is no place in a list")
            }
            return place
        }
        return (place ?? 0, try limit(PracticeChanges.limits) ?? 50)
    }
}
