// SPDX-License-Identifier: MIT

public import Domain

/// The names and values after the `?` of a URL, decoded; a name may be repeated.
public struct QueryParameters: Hashable, Sendable {
    /// A name with its value.
    public struct Item: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String
    }

    /// The items in their order.
    public private(set) var items: [Item] = []

    /// Makes an empty list.
    public init() {}

    /// Makes a list in this order.
    public init(_ items: [(name: String, value: String)]) {
        self.items = items.map { Item(name: $0.name, value: $0.value) }
    }

    /// The first value of a name.
    public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// Every value of a name.
    public func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// Adds a parameter, unless the value is nil.
    public mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
        if let value { items.append(Item(name: name, value: value.description)) }
    }

    func map<Value>(
        _ name: String, _ transform: (String, String) throws(MappingFailure) -> Value
    ) throws(MappingFailure) -> Value? {
        guard let text = self[name] else { return nil }
        return try transform(text, name)
    }
}

extension QueryParameters {
    /// The parameters of `GET /cues`.
    public init(_ query: CueQuery, after cursor: CueCursor?) {
        add("language", query.language)
        add("topic", query.topic)
        add("level", query.level)
        add("q", query.words)
        if case .shuffled(let seed) = query.order {
            add("order", "shuffled")
            add("seed", seed)
        }
        add("limit", query.limit)
        add("after", cursor)
    }

    /// The parameters of `GET /practice`.
    public init(_ query: PracticeQuery, after cursor: PracticeCursor?) {
        add("cue", query.cue)
        add("language", query.language)
        for rating in query.ratings.map(\.rawValue).sorted() { add("rating", rating) }
        add("since", query.since)
        add("until", query.until)
        add("limit", query.limit)
        add("after", cursor)
    }

    /// The query and the cursor in the parameters of `GET /cues`; unknown names are ignored.
    ///
    /// - Throws: ``MappingFailure`` that names the parameter.
    public func cueQuery() throws(MappingFailure) -> (query: CueQuery, after: CueCursor?) {
        var query = CueQuery()
        query.language = try map("language", WireValue.language)
        query.topic = try map("topic") { (text, name) throws(MappingFailure) in
            try WireValue.text(text, name, limit: 60)
        }
        query.level = try map("level") { (text, name) throws(MappingFailure) in
            try WireValue.whole(text, name, in: Cue.levels)
        }
        query.words = try map("q") { (text, name) throws(MappingFailure) in
            try WireValue.text(text, name, limit: Cue.textLimit)
        }
        switch self["order"] {
        case nil, "catalogue": break
        case "shuffled":
            guard let seed = self["seed"].flatMap(UInt64.init) else {
                throw MappingFailure("seed", "has to be a number from 0 to 2^64 - 1 for a shuffled list")
            }
            query.order = .shuffled(seed: seed)
        default: throw MappingFailure("order", "is neither catalogue nor shuffled")
        }
        query.limit = try limit(CueQuery.limits) ?? query.limit
        let cursor = try map("after") { (text, name) throws(MappingFailure) in
            guard let cursor = CueCursor(text) else { throw MappingFailure(name, "is not a valid cursor") }
            return cursor
        }
        return (query, cursor)
    }

    /// The query and the cursor in the parameters of `GET /practice`; unknown names are ignored.
    ///
    /// - Throws: ``MappingFailure`` that names the parameter.
    public func practiceQuery() throws(MappingFailure) -> (query: PracticeQuery, after: PracticeCursor?) {
        var query = PracticeQuery()
        query.cue = try map("cue") { (text, name) throws(MappingFailure) -> Identifier<Cue> in
            try WireValue.identifier(text, name)
        }
        query.language = try map("language", WireValue.language)
        for text in values("rating") {
            query.ratings.insert(try WireValue.rating(WireValue.whole(text, "rating", in: 1...4), "rating"))
        }
        query.since = try map("since", WireValue.day)
        query.until = try map("until", WireValue.day)
        query.limit = try limit(PracticeQuery.limits) ?? query.limit
        let cursor = try map("after") { (text, name) throws(MappingFailure) in
            guard let cursor = PracticeCursor(text) else { throw MappingFailure(name, "is not a valid cursor") }
            return cursor
        }
        return (query, cursor)
    }

    /// The `limit` of a list.
    ///
    /// - Throws: ``MappingFailure`` for anything that is not a whole number in the range.
    public func limit(_ range: ClosedRange<Int>) throws(MappingFailure) -> Int? {
        try map("limit") { (text, name) throws(MappingFailure) in try WireValue.whole(text, name, in: range) }
    }
}
