// SPDX-License-Identifier: MIT

/// The members of a JSON object, in order, each name once.
///
/// A look-up in a small object compares names; a large one has an index, so that the cost of hostile input stays
/// proportional to its length.
public struct JSONObject: Sendable {
    /// The names, in order.
    public private(set) var names: [String] = []
    private var values: [JSONValue] = []
    private var index: [String: Int]?

    private static let largestWithoutIndex = 16

    /// An empty object.
    public init() {}

    /// An object of these members; the last of two with one name wins, at the place of the first.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        for (name, value) in members { self[name] = value }
    }

    /// The number of members.
    public var count: Int { names.count }

    /// True if there is no member.
    public var isEmpty: Bool { names.isEmpty }

    /// The value of that name. Setting a new name appends it; setting `nil` removes it (set `.null` to have a null).
    public subscript(name: String) -> JSONValue? {
        get { place(of: name).map { values[$0] } }
        set {
            if let newValue { set(name, newValue) } else { remove(name) }
        }
    }

    private func place(of name: String) -> Int? {
        if let index { index[name] } else { names.firstIndex(of: name) }
    }

    private mutating func set(_ name: String, _ value: JSONValue) {
        if let place = place(of: name) {
            values[place] = value
            return
        }
        index?[name] = names.count
        names.append(name)
        values.append(value)
        if index == nil, names.count > Self.largestWithoutIndex { makeIndex() }
    }

    private mutating func remove(_ name: String) {
        guard let place = place(of: name) else { return }
        names.remove(at: place)
        values.remove(at: place)
        if index != nil { makeIndex() }
    }

    private mutating func makeIndex() {
        index = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
    }
}

extension JSONObject: Sequence {
    /// The members, in order.
    public func makeIterator() -> some IteratorProtocol<(name: String, value: JSONValue)> {
        zip(names, values).lazy.map { (name: $0.0, value: $0.1) }.makeIterator()
    }
}

/// Objects are equal whatever the order of their members.
extension JSONObject: Hashable {
    /// True if both have the same members.
    public static func == (first: JSONObject, second: JSONObject) -> Bool {
        first.count == second.count && first.allSatisfy { second[$0.name] == $0.value }
    }

    /// Equal objects hash alike.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (name, value) in self {
            var member = Hasher()
            member.combine(name)
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The last of two members with one name wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
