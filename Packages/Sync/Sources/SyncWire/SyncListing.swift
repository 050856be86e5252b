// SPDX-License-Identifier: MIT

/// The limits of every object, which a relay and a device check before they read one.
public enum SyncLimit {
    /// The most bytes of an object's name.
    public static let nameByteCount = 128
    /// The most bytes of an object: 4 MiB. Longer logs and snapshots are several objects.
    public static let objectByteCount = 4 << 20
    /// The most objects that a listing names at once.
    public static let listingCount = 1_000
    /// The length of the id of a group of devices in bytes.
    public static let groupByteCount = 32
    /// Numbers of entries and snapshots are below 2⁶², so that one more never overflows.
    public static let number: UInt64 = 1 << 62
}

/// An object of a place, by name and size.
public struct SyncObject: Sendable, Hashable {
    /// The object's name.
    public let name: SyncObjectName
    /// Its size in bytes, at most 2⁴⁰: a place may claim any size, and sums of these do not overflow.
    public let size: Int

    /// An object.
    public init(name: SyncObjectName, size: Int) {
        self.name = name
        self.size = min(max(size, 0), 1 << 40)
    }
}

/// The position up to which a listing went. Only the transport that made it understands it.
public struct SyncCursor: Sendable, Hashable {
    /// The position as text.
    public let text: String

    /// A position by its text.
    public init(_ text: String) {
        self.text = text
    }
}

/// Objects of a place.
public struct SyncListing: Sendable, Hashable {
    /// The objects, in no particular order.
    public let objects: [SyncObject]
    /// The position for the next listing; nil if the place has no positions and lists everything each time.
    public let cursor: SyncCursor?
    /// True if these are all objects of the place, and not only those after the cursor that was given.
    public let isWhole: Bool
    /// True if there is more after `cursor`, so that the next listing should follow at once.
    public let hasMore: Bool
    /// The place's clock when it answered, in milliseconds since 1970; nil if the place does not tell it.
    public var time: Int64?

    /// A listing.
    public init(objects: [SyncObject], cursor: SyncCursor?, isWhole: Bool, hasMore: Bool, time: Int64? = nil) {
        self.objects = objects
        self.cursor = cursor
        self.isWhole = isWhole
        self.hasMore = hasMore
        self.time = time
    }
}
