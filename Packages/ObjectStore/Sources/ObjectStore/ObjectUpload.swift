// SPDX-License-Identifier: MIT

import Concurrency
import DurableFiles
import Glibc

/// An object that is being written in parts. It can be stored, and continued by another process.
public struct ObjectUpload: Sendable, Hashable {
    /// The fewest bytes of a part, but for the last one (Amazon S3, "Multipart upload limits").
    public static let minimumPartByteCount = 5 << 20
    /// The numbers of parts.
    public static let partNumbers = 1...10_000

    /// The object's key.
    public let key: ObjectKey
    /// The store's id of the upload.
    public let id: String

    /// An upload by its id.
    public init(key: ObjectKey, id: String) {
        (self.key, self.id) = (key, id)
    }
}

/// A part that the store has.
public struct ObjectPart: Sendable, Hashable {
    /// The part's number, from 1 on.
    public let number: Int
    /// The store's mark of its content.
    public let tag: String

    /// A part.
    public init(number: Int, tag: String) {
        (self.number, self.tag) = (number, tag)
    }
}

extension ObjectStore {
    /// Writes an object from a file: at once if it is small, in parts if it is not. When it fails or is cancelled, its
    /// parts are removed.
    ///
    /// - Parameters:
    ///   - partByteCount: The size of a part, at least ``ObjectUpload/minimumPartByteCount``; a file of more than
    ///     10,000 such parts is cut into larger ones.
    ///   - sha256: The hash that the file must have, checked if it is written at once; parts are checked one by one.
    public func put(
        _ key: ObjectKey, file path: String, partByteCount: Int = 16 << 20, sha256: [UInt8]? = nil
    ) async throws {
        let content = try await ObjectContent.file(path, sha256: sha256)
        let size = max(
            partByteCount, ObjectUpload.minimumPartByteCount,
            (content.length + ObjectUpload.partNumbers.upperBound - 1) / ObjectUpload.partNumbers.upperBound)
        guard content.length > size else { return try await put(key, content) }
        // A request that is cancelled on its way could begin an upload whose id nobody learns.
        let beginning = Task { try await self.beginParts(of: key) }
        let upload = try await beginning.value
        do {
            try Task.checkCancellation()
            let parts = try await putParts(path, length: content.length, size: size, upload)
            try await complete(upload, parts)
        } catch {
            // A cancelled task could not send the request.
            let discarding = Task { try? await self.discard(upload) }
            await discarding.value
            throw error
        }
    }

    private func putParts(
        _ path: String, length: Int, size: Int, _ upload: ObjectUpload
    ) async throws -> [ObjectPart] {
        let ranges = stride(from: 0, to: length, by: size).map { $0..<min($0 + size, length) }
        return try await withThrowingTaskGroup(of: ObjectPart.self) { group in
            var parts: [ObjectPart] = []
            for (index, range) in ranges.enumerated() {
                // Few at once: each holds a chunk, and one connection is seldom as fast as the network.
                if index >= 4, let part = try await group.next() { parts.append(part) }
                group.addTask {
                    try await putPart(index + 1, ObjectContent.file(path, range: range), of: upload)
                }
            }
            for try await part in group { parts.append(part) }
            return parts.sorted { $0.number < $1.number }
        }
    }

    /// Reads an object into a new file of mode 0600. A file that is incomplete is removed.
    public func download(_ key: ObjectKey, to path: String) async throws {
        let object = try await get(key)
        let file = try await BlockingCall.run { () throws(ObjectStoreError) in
            do throws(FileError) { return try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW) } catch {
                throw .ofSource(error)
            }
        }
        do {
            for try await chunk in object.chunks {
                try await BlockingCall.run { () throws(ObjectStoreError) in
                    do throws(FileError) { try file.write(chunk) } catch { throw .ofSource(error) }
                }
            }
        } catch {
            unlink(path)
            throw error
        }
    }
}
