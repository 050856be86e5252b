// SPDX-License-Identifier: MIT

import Concurrency
import DurableFiles
public import FoundationEssentials
import Glibc

/// Objects as files of a folder: the key `ada/recording-7` is the file of that path, mode 0600 in folders of mode 0700.
///
/// An object is written beside, flushed and renamed, and its folder is flushed: after a crash it is there as a whole or
/// not at all. No link is followed below the folder, so that nothing is read or written outside of it. A key that is the
/// folder of another, `a` beside `a/b`, is the error `invalidKey`, which S3 does not know.
///
/// Unfinished files are in `.pending`. For any number of processes of one machine.
public final class FolderObjectStore: ObjectStore {
    /// The folder.
    public let path: String
    static let pendingName = ".pending"

    /// Objects in a folder, which is made if it is missing.
    ///
    /// - Throws: ``ObjectStoreError``.
    public init(_ path: String) throws(ObjectStoreError) {
        self.path = path
        do throws(FileError) { try DurableFile.makeFolder(path) } catch {
            guard error.number == ENOTDIR else { throw .ofFolder(error) }
            throw ObjectStoreError(
                code: .invalidConfiguration, message: "\(path) is not a folder. Choose another path.",
                underlying: error)
        }
    }

    /// Writes a file, and the folders above it.
    public func put(_ key: ObjectKey, _ content: ObjectContent) async throws {
        let pending = try await perform { [self] () throws(FileError) in try pendingFile() }
        do {
            try await pending.take(content)
            try await place(pending, at: key)
        } catch {
            // Not by `perform`, which does nothing in a cancelled task.
            await BlockingCall.run { pending.discard() }
            throw error
        }
    }

    /// Opens a file. A link or anything else that is no file is the error `denied`.
    public func get(_ key: ObjectKey, range: Range<Int>?) async throws -> StoredObject {
        let found = try await perform { [self] () throws(FileError) in try open(key) }
        guard let (file, info) = found else { throw ObjectStoreError.notFound(key) }
        let bytes = try (range ?? 0..<info.size).checked(for: info, isWhole: range == nil)
        let chunks = ObjectChunks { [self] in
            var offset = bytes.lowerBound
            return {
                try Task.checkCancellation()
                let (place, count) = (offset, min(ObjectContent.pieceByteCount, bytes.upperBound - offset))
                guard count > 0 else { return nil }
                let piece = try await self.perform { () throws(FileError) in
                    try file.bytes(at: place, maximum: count)
                }
                guard !piece.isEmpty else {
                    throw ObjectStoreError(
                        code: .damaged, message: "The file of \(key) became shorter while it was read. Restore it.")
                }
                offset += piece.count
                return piece
            }
        }
        return StoredObject(info: info, range: bytes, chunks: chunks)
    }

    /// The size and the time of a file.
    public func head(_ key: ObjectKey) async throws -> ObjectInfo {
        guard let found = try await perform({ [self] () throws(FileError) in try open(key) }) else {
            throw ObjectStoreError.notFound(key)
        }
        return found.info
    }

    /// Looks through the folders that a key of the prefix can be in, in order.
    public func list(prefix: String, after cursor: ObjectCursor?, limit: Int) async throws -> ObjectPage {
        try await perform { [self] () throws(FileError) in
            var walk = FolderWalk(prefix: prefix, after: cursor?.text ?? "", limit: min(max(limit, 1), 1_000))
            try walk.visit(FolderHandle(path), below: "")
            return walk.page
        }
    }

    /// Removes a file, and the folders that become empty by it, for good.
    public func delete(_ key: ObjectKey) async throws {
        try await perform { [self] () throws(FileError) in
            var folders = [try FolderHandle(path)]
            for name in key.segments.dropLast() {
                guard let folder = try folders[folders.count - 1].folder(name) else { return }
                folders.append(folder)
            }
            guard let last = key.segments.last, try folders[folders.count - 1].removeFile(last) else { return }
            // The outermost stays. One that is not empty, also by a file of this moment, ends the way.
            for (name, above) in zip(key.segments.dropLast(), folders).reversed() {
                guard try above.removeFolder(name) else { return }
            }
        }
    }

    /// Nil: a folder has no addresses.
    public func presignedURL(_ use: PresignedUse, _ key: ObjectKey, lifetime: Duration) async throws -> URL? { nil }

    /// Writes an unfinished file and removes it.
    public func check() async throws {
        try await perform { [self] () throws(FileError) in
            let pending = try pendingFile()
            pending.discard()
        }
    }

    // MARK: Steps

    func perform<Value: Sendable>(_ body: @escaping @Sendable () throws(FileError) -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await BlockingCall.run { [path] () throws(ObjectStoreError) in
            do throws(FileError) { return try body() } catch { throw .ofFolder(error, in: path) }
        }
    }

    /// The folder of unfinished files.
    func pendingFolder() throws(FileError) -> FolderHandle {
        guard let folder = try FolderHandle(path).folder(Self.pendingName, makes: true) else {
            throw FileError("open", path, number: ENOENT)
        }
        return folder
    }

    func pendingFile() throws(FileError) -> PendingObject { try PendingObject(in: pendingFolder()) }

    /// Gives a written file its name.
    func place(_ pending: PendingObject, at key: ObjectKey) async throws {
        try await perform { [self] () throws(FileError) in
            for attempt in 1... {
                var folder = try FolderHandle(path)
                var isThere = true
                for name in key.segments.dropLast() {
                    guard let next = try folder.folder(name, makes: true) else {
                        isThere = false
                        break
                    }
                    folder = next
                }
                // A deletion may remove an empty folder between the two steps; no folder is removed for ever.
                if isThere, try folder.take(pending, as: key.segments.last ?? "") { return }
                guard attempt < 100 else { throw FileError("write", "\(path)/\(key)", number: ENOENT) }
            }
        }
    }

    private func open(_ key: ObjectKey) throws(FileError) -> (file: OpenFile, info: ObjectInfo)? {
        var folder = try FolderHandle(path)
        for name in key.segments.dropLast() {
            guard let next = try folder.folder(name) else { return nil }
            folder = next
        }
        guard let file = try folder.file(key.segments.last ?? "") else { return nil }
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            if status.st_mode & S_IFMT == S_IFDIR { return nil }
            throw FileError("read", "\(path)/\(key)", number: ELOOP)
        }
        return (file, ObjectInfo(key: key, size: Int(status.st_size), modifiedAt: status.changed))
    }
}

extension Range<Int> {
    /// The part of the range that an object has.
    func checked(for info: ObjectInfo, isWhole: Bool) throws(ObjectStoreError) -> Range<Int> {
        if isWhole { return self }
        guard !isEmpty, lowerBound >= 0, lowerBound < info.size else { throw .outOfRange(info.key) }
        return lowerBound..<Swift.min(upperBound, info.size)
    }
}

extension stat {
    /// The time of the last change of the content.
    var changed: Date { Date(timeIntervalSince1970: Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9) }
}

extension ObjectStoreError {
    /// The error of a folder of objects.
    static func ofFolder(_ error: FileError, in path: String? = nil) -> ObjectStoreError {
        let (code, advice): (Code, String) =
            switch error.number {
            case _ where error.isDiskFull: (.full, "Make room on the disk.")
            case ELOOP: (.denied, "A link, pipe or device is in the place of an object. Remove it.")
            case ENOTDIR, EISDIR, EEXIST, ENOTEMPTY:
                (.invalidKey, "One key is the folder of another. Choose another key.")
            case ENAMETOOLONG: (.invalidKey, "The path is too long. Choose a shorter key.")
            case _ where error.isDenied: (.denied, "Give this user the right to the folder.")
            case ENOENT: (.noSuchBucket, "Make the folder again, or mount its disk.")
            default: (.file, "Check the disk.")
            }
        return ObjectStoreError(code: code, message: "\(error) \(advice)", underlying: error)
    }
}
