// SPDX-License-Identifier: MIT

import Concurrency
import Digests
import DurableFiles
public import FoundationEssentials
import Glibc

/// An upload in parts is a folder of its id in `.pending`: the file `key`, and a file for each part whose name is its
/// number and its SHA-256.
extension FolderObjectStore {
    /// Makes the folder of the parts.
    public func beginParts(of key: ObjectKey) async throws -> ObjectUpload {
        let id = Hexadecimal.text((0..<16).map { _ in UInt8.random(in: 0 ... .max) })
        try await perform { [self] () throws(FileError) in
            guard let folder = try pendingFolder().folder(id, makes: true) else {
                throw FileError("create", path, number: ENOENT)
            }
            try DurableFile.replace(folder.path("key"), with: key.text.utf8)
        }
        return ObjectUpload(key: key, id: id)
    }

    /// Writes a file for the part.
    public func putPart(
        _ number: Int, _ content: ObjectContent, of upload: ObjectUpload
    ) async throws -> ObjectPart {
        guard ObjectUpload.partNumbers.contains(number) else {
            throw ObjectStoreError.invalidParts("A part has a number from 1 to 10,000.")
        }
        let pending = try await perform { [self] () throws(FileError) in
            try parts(of: upload).map { folder throws(FileError) in try PendingObject(in: folder) }
        }
        guard let pending else { throw ObjectStoreError.noSuchUpload }
        do {
            let tag = try await pending.takeHashing(content)
            try await perform { [self] () throws(FileError) in
                guard let folder = try parts(of: upload) else { throw FileError("write", path, number: ENOENT) }
                for name in try folder.names() where name.hasPrefix("\(number)-") { _ = try folder.removeFile(name) }
                _ = try folder.take(pending, as: "\(number)-\(tag)")
            }
            return ObjectPart(number: number, tag: tag)
        } catch {
            pending.discard()
            throw error
        }
    }

    /// Puts the parts together in a new file, and gives it the key.
    public func complete(_ upload: ObjectUpload, _ parts: [ObjectPart]) async throws {
        try await complete(upload, parts) {}
    }

    func complete(_ upload: ObjectUpload, _ parts: [ObjectPart], placed: () -> Void) async throws {
        let files = try await perform { [self] () throws(FileError) -> [OpenFile?]? in
            guard let folder = try self.parts(of: upload) else { return nil }
            var files: [OpenFile?] = []
            for part in parts { files.append(try folder.file("\(part.number)-\(part.tag)")) }
            return files
        }
        guard let files else { throw ObjectStoreError.noSuchUpload }
        try ObjectPart.check(parts, sizes: files.map { try $0?.size() })
        let pending = try await perform { [self] () throws(FileError) in try pendingFile() }
        do {
            for file in files.compactMap(\.self) { try await pending.append(file) }
            try await perform { () throws(FileError) in try pending.synchronize() }
            try await place(pending, at: upload.key)
        } catch {
            pending.discard()
            throw error
        }
        placed()
        // The object is complete, although a cancelled task could not remove its parts.
        let discarding = Task { try? await self.discard(upload) }
        await discarding.value
    }

    /// Removes the folder of the parts.
    public func discard(_ upload: ObjectUpload) async throws {
        try await perform { [self] () throws(FileError) in
            guard let folder = try parts(of: upload, checksKey: false) else { return }
            for name in try folder.names() where ![".", ".."].contains(name) { _ = try folder.removeFile(name) }
            _ = try pendingFolder().removeFolder(upload.id)
        }
    }

    /// Removes what is older in `.pending`.
    public func removeUnfinished(prefix: String, before time: Date) async throws -> Int {
        let old = try await perform { [self] () throws(FileError) in
            let folder = try pendingFolder()
            var uploads: [String] = []
            for name in try folder.names() where ![".", ".."].contains(name) {
                guard let status = folder.status(name) else { continue }
                let isUpload = status.st_mode & S_IFMT == S_IFDIR
                // Each part changes the folder's time.
                let file = isUpload ? try folder.folder(name)?.file("key") : nil
                guard try (file?.status() ?? status).changed < time else { continue }
                if isUpload {
                    let key = try file?.contents(limit: ObjectKey.maximumByteCount)
                    if (key ?? []).starts(with: prefix.utf8) { uploads.append(name) }
                } else if prefix.isEmpty {
                    _ = try folder.removeFile(name)
                }
            }
            return uploads
        }
        guard let key = try? ObjectKey("any") else { return 0 }
        for id in old { try await discard(ObjectUpload(key: key, id: id)) }
        return old.count
    }

    /// The folder of an upload; nil if it is missing.
    private func parts(of upload: ObjectUpload, checksKey: Bool = true) throws(FileError) -> FolderHandle? {
        // An id is a name of ours, and not a path.
        guard Hexadecimal.bytes(upload.id)?.count == 16 else { return nil }
        guard let folder = try pendingFolder().folder(upload.id) else { return nil }
        guard checksKey else { return folder }
        let key = try folder.file("key")?.contents(limit: ObjectKey.maximumByteCount)
        return key == Array(upload.key.text.utf8) ? folder : nil
    }
}

extension ObjectPart {
    /// Checks the list of an upload's parts against those that are there.
    static func check(_ parts: [ObjectPart], sizes: [Int?]) throws(ObjectStoreError) {
        guard !parts.isEmpty, zip(parts, parts.dropFirst()).allSatisfy({ $0.number < $1.number }) else {
            throw .invalidParts("List at least one part, in the order of their numbers.")
        }
        if let (part, _) = zip(parts, sizes).first(where: { $1 == nil }) {
            throw .invalidParts("Part \(part.number) is missing or was replaced. Put it again.")
        }
        let isTooSmall = sizes.dropLast().contains { ($0 ?? 0) < ObjectUpload.minimumPartByteCount }
        guard !isTooSmall else {
            throw .invalidParts("Each part but the last has at least \(ObjectUpload.minimumPartByteCount) bytes.")
        }
    }
}

extension PendingObject {
    /// Writes all chunks to the disk, and returns their SHA-256 in hexadecimal.
    fileprivate func takeHashing(_ content: ObjectContent) async throws -> String {
        var digest = try MessageDigest(.sha256)
        for try await chunk in content.chunks {
            chunk.withUnsafeBytes { digest.update($0) }
            try await write(chunk)
        }
        try await BlockingCall.run { () throws(ObjectStoreError) in
            do throws(FileError) { try self.synchronize() } catch { throw .ofFolder(error) }
        }
        return Hexadecimal.text(digest.finish())
    }

    /// Writes all bytes of another file.
    fileprivate func append(_ file: OpenFile) async throws {
        var offset = 0
        while true {
            try Task.checkCancellation()
            let place = offset
            let piece = try await BlockingCall.run { () throws(ObjectStoreError) in
                do throws(FileError) { return try file.bytes(at: place, maximum: ObjectContent.pieceByteCount) } catch {
                    throw .ofFolder(error)
                }
            }
            if piece.isEmpty { return }
            try await write(piece)
            offset += piece.count
        }
    }
}
