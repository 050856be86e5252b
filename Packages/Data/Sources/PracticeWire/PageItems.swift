// SPDX-License-Identifier: MIT

public import Domain

/// The items of a page. An unreadable one is left out with a reason, and the others stay.
public struct PageItems<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    private enum Entry: Hashable, Sendable {
        case item(Item)
        case broken(String, id: String?)
    }

    private let entries: [Entry]

    /// Makes a list of valid items.
    public init(_ items: [Item]) { entries = items.map(Entry.item) }

    /// Reads a list; throws only if the value is no list.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var entries: [Entry] = []
        // A lenient entry never fails, and so the list always advances.
        while !list.isAtEnd { entries.append(try list.decode(Lenient.self).entry) }
        self.entries = entries
    }

    /// Writes the readable items.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for case .item(let item) in entries { try list.encode(item) }
    }

    /// The mapped items, and those that were left out.
    ///
    /// - Parameters:
    ///   - id: The id of an item that cannot be mapped.
    ///   - transform: Maps an item.
    public func mapped<Value>(
        id: (Item) -> String? = { _ in nil }, _ transform: (Item) throws(MappingFailure) -> Value
    ) -> (values: [Value], skipped: [SkippedItem]) {
        var values: [Value] = []
        var skipped: [SkippedItem] = []
        for (index, entry) in entries.enumerated() {
            switch entry {
            case .broken(let reason, let id): skipped.append(SkippedItem(index: index, reason: reason, id: id))
            case .item(let item):
                do throws(MappingFailure) {
                    values.append(try transform(item))
                } catch {
                    skipped.append(SkippedItem(index: index, reason: error.description, id: id(item)))
                }
            }
        }
        return (values, skipped)
    }

    private struct Lenient: Decodable {
        let entry: Entry

        init(from decoder: any Decoder) throws {
            do {
                entry = .item(try Item(from: decoder))
            } catch {
                entry = .broken(
                    MappingFailure(decoding: error).description, id: (try? Named(from: decoder))?.id)
            }
        }

        private struct Named: Decodable { let id: String }
    }
}
