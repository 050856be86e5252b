// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Keeps objects: bytes under a key, written as a whole and never changed in place. For use from any task.
///
/// Methods throw ``ObjectStoreError``, and `CancellationError` when their task is cancelled. When a write returns, the
/// object is as durable as the store makes it, and every read that begins afterwards has it.
public protocol ObjectStore: Sendable {
    /// Writes an object, and replaces an earlier one: a reader gets the old bytes or the new ones, never a mixture.
    ///
    /// - Throws: `damaged` if the bytes are not those of the content's length and hash; the object is then as it was.
    func put(_ key: ObjectKey, _ content: ObjectContent) async throws

    /// Opens an object; its bytes arrive while they are read.
    ///
    /// - Parameter range: The bytes to read, from 0 on; what is past the object's end is left out. Nil for all.
    /// - Throws: `notFound`; `outOfRange` if the range is empty or begins at or past the end.
    func get(_ key: ObjectKey, range: Range<Int>?) async throws -> StoredObject

    /// The facts about an object.
    ///
    /// - Throws: `notFound`.
    func head(_ key: ObjectKey) async throws -> ObjectInfo

    /// A page of the objects whose keys begin with a text, in the order of their keys. Names that are no ``ObjectKey``
    /// are left out.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the keys; it may end within a segment.
    ///   - cursor: The end of the previous page; nil for the first one.
    ///   - limit: The most objects, 1 to 1,000; other numbers are brought into that range.
    func list(prefix: String, after cursor: ObjectCursor?, limit: Int) async throws -> ObjectPage

    /// Removes an object; a missing one is no error.
    func delete(_ key: ObjectKey) async throws

    /// Begins an object that is written in parts. It appears when it is completed.
    func beginParts(of key: ObjectKey) async throws -> ObjectUpload

    /// Writes a part, and replaces an earlier one of its number.
    ///
    /// - Parameters:
    ///   - number: 1 to 10,000; parts are put together in the order of their numbers.
    ///   - content: At least ``ObjectUpload/minimumPartByteCount`` bytes, unless it is the last part.
    /// - Throws: `noSuchUpload` if it was completed or aborted.
    func putPart(_ number: Int, _ content: ObjectContent, of upload: ObjectUpload) async throws -> ObjectPart

    /// Makes the object of its parts, in one step. A second completion changes nothing: it is `noSuchUpload`, or passes, as
    /// some S3 stores have it.
    ///
    /// - Throws: `noSuchUpload`; `invalidParts` if parts are missing, replaced, out of order or too small.
    func complete(_ upload: ObjectUpload, _ parts: [ObjectPart]) async throws

    /// Removes the parts of an object that is not completed; a missing upload is no error.
    func discard(_ upload: ObjectUpload) async throws

    /// Removes what crashes left: uploads in parts, and unfinished files, that began before a time.
    ///
    /// - Parameter prefix: The beginning of the uploads' keys. Unfinished files have no key yet: they go with an empty one.
    /// - Returns: The number of removed uploads.
    func removeUnfinished(prefix: String, before time: Date) async throws -> Int

    /// An address with which anybody may read or write one object for a while; nil for a store that has no such
    /// addresses.
    ///
    /// - Parameter lifetime: 1 second to 7 days; other times are brought into that range.
    func presignedURL(_ use: PresignedUse, _ key: ObjectKey, lifetime: Duration) async throws -> URL?

    /// Checks that objects can be listed, written, read and deleted, and uploads in parts begun, listed and discarded,
    /// with an object of a name of its own.
    ///
    /// - Throws: The error that a use of the store would meet, which names the missing right.
    func check() async throws
}

/// The use of an address from ``ObjectStore/presignedURL(_:_:lifetime:)``.
public enum PresignedUse: Sendable, Hashable {
    /// GET the object.
    case get
    /// PUT the object.
    case put
}

/// The facts about an object.
public struct ObjectInfo: Sendable, Hashable {
    /// The name.
    public let key: ObjectKey
    /// The number of bytes.
    public let size: Int
    /// The time of the last write by the store's clock, to the second at least.
    public let modifiedAt: Date

    /// The facts.
    public init(key: ObjectKey, size: Int, modifiedAt: Date) {
        (self.key, self.size, self.modifiedAt) = (key, size, modifiedAt)
    }
}

/// An object that is being read.
public struct StoredObject: Sendable {
    /// The facts about the whole object.
    public let info: ObjectInfo
    /// The bytes that ``chunks`` has.
    public let range: Range<Int>
    /// The bytes, to be read once.
    public let chunks: ObjectChunks

    /// All bytes of the range.
    ///
    /// - Throws: `tooLarge` for more than `limit` bytes, before any is read.
    public func bytes(upTo limit: Int = 64 << 20) async throws -> [UInt8] {
        guard range.count <= limit else {
            throw ObjectStoreError(
                code: .tooLarge, message: "\(info.key) has \(range.count) bytes. Read it in chunks, or raise the limit."
            )
        }
        var all: [UInt8] = []
        all.reserveCapacity(range.count)
        for try await chunk in chunks { all += chunk }
        return all
    }
}

extension ObjectStore {
    /// Opens a whole object.
    public func get(_ key: ObjectKey) async throws -> StoredObject { try await get(key, range: nil) }

    /// Removes what crashes left of any key before a time.
    @discardableResult public func removeUnfinished(before time: Date) async throws -> Int {
        try await removeUnfinished(prefix: "", before: time)
    }

    /// ``check()`` for stores that have no way of their own.
    func checkByUse() async throws {
        // Few names, so that little is left where the right to delete is the one that is missing.
        let key = try ObjectKey("check-\(UInt8.random(in: 0 ... .max))")
        let content = Array("May be removed.".utf8)
        _ = try await list(prefix: key.text, after: nil, limit: 1)
        try await put(key, .bytes(content))
        guard try await get(key).bytes() == content else {
            throw ObjectStoreError(code: .damaged, message: "The store returned other bytes than it was given.")
        }
        try await delete(key)
        // Before the next begins: one upload of a name is left where the right to discard it is missing.
        _ = try await removeUnfinished(prefix: key.text, before: .distantFuture)
        try await discard(beginParts(of: key))
    }
}
