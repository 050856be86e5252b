// SPDX-License-Identifier: MIT

/// A relay's answer to the question for the objects of a group, on the wire: JSON, as docs/api/openapi.yaml has it.
public struct RelayListing: Codable, Hashable, Sendable {
    /// An object by name and size.
    public struct Item: Codable, Hashable, Sendable {
        /// The name as text. A later program's may be one that ``SyncObjectName`` does not know.
        public var name: String
        /// The size in bytes.
        public var size: Int

        /// An object.
        public init(name: String, size: Int) {
            self.name = name
            self.size = size
        }
    }

    /// The objects, the oldest first.
    public var objects: [Item]
    /// The position after the last object; only the relay understands it.
    public var cursor: String
    /// True if the listing starts with the group's first object, and not after a cursor.
    public var whole: Bool
    /// True if more objects follow `cursor`.
    public var more: Bool

    /// An answer.
    public init(objects: [Item], cursor: String, whole: Bool, more: Bool) {
        self.objects = objects
        self.cursor = cursor
        self.whole = whole
        self.more = more
    }
}

extension RelayListing {
    /// An answer of these objects.
    public init(_ listing: SyncListing) {
        self.init(
            objects: listing.objects.map { Item(name: $0.name.text, size: $0.size) },
            cursor: listing.cursor?.text ?? "", whole: listing.isWhole, more: listing.hasMore)
    }

    /// The objects of the answer; nil if it contradicts itself: a negative size, or more to come without progress.
    ///
    /// Names of a later program are left out.
    public func listing() -> SyncListing? {
        guard objects.allSatisfy({ $0.size >= 0 }), !more || !objects.isEmpty else { return nil }
        return SyncListing(
            objects: objects.compactMap { item in
                SyncObjectName(item.name).map { SyncObject(name: $0, size: item.size) }
            }, cursor: SyncCursor(cursor), isWhole: whole, hasMore: more)
    }
}
