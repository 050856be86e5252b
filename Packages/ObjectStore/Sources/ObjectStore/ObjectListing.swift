// SPDX-License-Identifier: MIT

/// The end of a page of a listing. Opaque: good for the store and the prefix that it came from.
public struct ObjectCursor: Sendable, Hashable {
    /// The store's text.
    public let text: String

    /// A cursor from its text.
    public init(_ text: String) { self.text = text }
}

/// A page of a listing.
public struct ObjectPage: Sendable, Hashable {
    /// The objects in the order of their keys. May be empty although more follow.
    public let objects: [ObjectInfo]
    /// The end of this page; nil if it is the last one.
    public let next: ObjectCursor?

    /// A page.
    public init(objects: [ObjectInfo], next: ObjectCursor?) {
        (self.objects, self.next) = (objects, next)
    }
}

/// All objects whose keys begin with a text, in the order of their keys, page by page: memory does not grow with them.
/// Objects that are written or deleted meanwhile may be there or not.
public struct ObjectListing: AsyncSequence, Sendable {
    /// The facts about an object.
    public typealias Element = ObjectInfo

    private let store: any ObjectStore
    private let prefix: String
    private let pageSize: Int

    fileprivate init(_ store: any ObjectStore, prefix: String, pageSize: Int) {
        (self.store, self.prefix, self.pageSize) = (store, prefix, pageSize)
    }

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(listing: self) }

    /// Reads pages as they are needed.
    public struct Iterator: AsyncIteratorProtocol {
        private let listing: ObjectListing
        private var page: ArraySlice<ObjectInfo> = []
        private var cursor: ObjectCursor?
        private var isAtEnd = false

        fileprivate init(listing: ObjectListing) { self.listing = listing }

        /// The next object; nil at the end.
        public mutating func next() async throws -> ObjectInfo? {
            while page.isEmpty, !isAtEnd {
                try Task.checkCancellation()
                let next = try await listing.store.list(
                    prefix: listing.prefix, after: cursor, limit: listing.pageSize)
                (page, cursor, isAtEnd) = (next.objects[...], next.next, next.next == nil)
            }
            return page.popFirst()
        }
    }
}

extension ObjectStore {
    /// All objects whose keys begin with a text.
    public func objects(prefix: String, pageSize: Int = 1_000) -> ObjectListing {
        ObjectListing(self, prefix: prefix, pageSize: pageSize)
    }
}
