// SPDX-License-Identifier: MIT

import AuthServer
import Digests
import Domain
import FoundationEssentials
import Glibc
import HTTPServer
import Networking
import ObjectStore

/// Uploads whose bytes are in an object store from their first request on, so that every instance can go on with them.
///
/// A body passes through a file of this machine that nobody needs afterwards, so memory stays flat. Each part that is full
/// counts at once; the rest becomes a small object when the request ends. A sound that comes in one request is put as
/// one object.
struct BucketStaging: UploadStaging {
    /// The bytes of a part at least.
    private static let partByteCount = ObjectUpload.minimumPartByteCount

    let uploads: UploadStore
    let sounds: SoundStore
    let clock: AuthClock

    private var objects: any ObjectStore { sounds.objects }

    func begin(_ work: UploadWork) {}

    func length(of work: UploadWork) throws -> Int { work.upload.pieces.length }

    func take(_ body: RequestBody, checksum: UploadSink.Checksum?, of work: UploadWork) async throws -> Int {
        let spool = try Spool(in: sounds.copyFolder)
        defer { spool.remove() }
        var pieces = work.upload.pieces
        var sink = UploadSink(spool.file, offset: pieces.length, from: pieces.length, end: work.recording.byteCount)
        let result: Result<Void, any Error>
        do {
            try await sink.take(body, checksum: checksum) { count in
                guard pieces.tailLength + count >= Self.partByteCount else { return false }
                pieces = try await addPart(of: spool, count, to: pieces, work)
                return true
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        let (staged, count, offset) = (pieces, sink.unstored, sink.offset)
        let isWhole = if case .success = result { offset == work.recording.byteCount } else { false }
        // Also after the client has disconnected, which cancels the task: these bytes need not be sent again.
        let keeping = Task {
            if isWhole {
                try await publish(staged, spool, count, work)
            } else if count > 0 {
                try await keep(spool, count, staged, work)
            }
        }
        try await keeping.value
        try result.get()
        return offset
    }

    func publish(_ work: UploadWork) async throws { try await publish(work.upload.pieces, nil, 0, work) }

    func discard(_ work: UploadWork) async throws {
        let pieces = work.upload.pieces
        try await remove(pieces.tail, work)
        if let upload = try upload(pieces, work) { try await objects.discard(upload) }
    }

    // MARK: Steps

    /// Stores the bytes of an unfinished body.
    private func keep(_ spool: Spool, _ count: Int, _ pieces: StagedPieces, _ work: UploadWork) async throws {
        guard pieces.tailLength + count < Self.partByteCount else {
            _ = try await addPart(of: spool, count, to: pieces, work)
            return
        }
        let piece = StagedPieces.Piece(name: "\(work.id).\(UUID().uuidString.lowercased())", length: count)
        try await objects.put(
            key(piece, work), ObjectContent.file(spool.path, range: 0..<count))
        do { try await stage(pieces.adding(piece), work) } catch {
            try? await remove([piece], work)
            throw error
        }
    }

    /// Stores the tail and more bytes as a part.
    ///
    /// - Returns: The pieces as the row has them now.
    private func addPart(
        of spool: Spool?, _ count: Int, to pieces: StagedPieces, _ work: UploadWork
    ) async throws -> StagedPieces {
        var begun = pieces
        if begun.upload == nil {
            begun = begun.begun(try await objects.beginParts(of: sounds.key(work.id, of: work.account)).id)
        }
        // Before the part: a request that took over the upload must not use the number, too.
        let number = begun.next
        begun = begun.reserved()
        try await stage(begun, work)
        guard let upload = try upload(begun, work) else { throw UploadError.notFound }
        do {
            let part = try await objects.putPart(number, content(of: begun.tail, spool, count, work), of: upload)
            let added = begun.adding(part, count)
            try await stage(added, work)
            try? await remove(begun.tail, work)
            return added
        } catch let error as ObjectStoreError where error.code == .noSuchUpload {
            throw try await restarted(work)
        }
    }

    /// Makes the pieces and more bytes the recording's sound.
    private func publish(_ pieces: StagedPieces, _ spool: Spool?, _ count: Int, _ work: UploadWork) async throws {
        guard !pieces.parts.isEmpty else {
            let content = try await content(of: pieces.tail, spool, count, work, sha256: hash(of: work))
            do { try await objects.put(sounds.key(work.id, of: work.account), content) } catch let error
                as ObjectStoreError where error.code == .damaged
            { throw UploadError.wrongContent }
            return
        }
        // All parts are in the row before the store forgets them.
        let whole =
            pieces.tail.isEmpty && count == 0 ? pieces : try await addPart(of: spool, count, to: pieces, work)
        guard let upload = try upload(whole, work) else { throw UploadError.notFound }
        do {
            try await objects.complete(upload, whole.parts.map { ObjectPart(number: $0.number, tag: $0.tag) })
        } catch let error as ObjectStoreError where [.noSuchUpload, .invalidParts].contains(error.code) {
            // Completed by a request that ended before it stored the recording, or removed as too old.
        }
        // The parts were hashed one by one at the most: the whole is read once.
        do {
            let read = try await sounds.open(work.id, of: work.account)
            guard read.info.size == work.recording.byteCount else { throw UploadError.wrongContent }
            guard try await SoundFile.hash(of: read.chunks) == work.recording.contentHash else {
                throw UploadError.wrongContent
            }
        } catch let error as ObjectStoreError where error.code == .notFound {
            throw try await restarted(work)
        }
    }

    /// The store has lost the parts of an upload that rested too long: it begins anew.
    private func restarted(_ work: UploadWork) async throws -> UploadError {
        try await stage(StagedPieces(), work)
        return .wrongOffset(0)
    }

    private func stage(_ pieces: StagedPieces, _ work: UploadWork) async throws {
        guard try await uploads.stage(pieces, work.id, of: work.account, by: work.owner, at: clock.now()) else {
            throw try await uploads.upload(work.id, of: work.account) == nil ? UploadError.notFound : .busy
        }
    }

    private func remove(_ pieces: [StagedPieces.Piece], _ work: UploadWork) async throws {
        for piece in pieces { try await objects.delete(key(piece, work)) }
    }

    private func key(_ piece: StagedPieces.Piece, _ work: UploadWork) throws -> ObjectKey {
        try ObjectKey("\(work.account)/\(piece.name)")
    }

    private func upload(_ pieces: StagedPieces, _ work: UploadWork) throws -> ObjectUpload? {
        try pieces.upload.map { ObjectUpload(key: try sounds.key(work.id, of: work.account), id: $0) }
    }

    private func hash(of work: UploadWork) throws -> [UInt8] {
        guard let bytes = Hexadecimal.bytes(work.recording.contentHash) else { throw UploadError.wrongContent }
        return bytes
    }

    /// The bytes of pieces and of a file after them.
    private func content(
        of tail: [StagedPieces.Piece], _ spool: Spool?, _ count: Int, _ work: UploadWork, sha256: [UInt8]? = nil
    ) async throws -> ObjectContent {
        guard !tail.isEmpty else {
            guard let spool else { return .bytes([], sha256: sha256) }
            return try await .file(spool.path, range: 0..<count, sha256: sha256)
        }
        let keys = try tail.map { try key($0, work) }
        let length = tail.reduce(count) { $0 + $1.length }
        return ObjectContent(
            JoinedBytes(objects: objects, keys: keys, file: spool?.file, count: count),
            length: length, sha256: sha256, isRepeatable: true)
    }
}

/// A file of this machine that a body passes through.
private struct Spool: Sendable {
    let path: String
    let file: SoundFile

    init(in folder: String) throws {
        mkdir(folder, 0o700)
        path = "\(folder)/\(UUID().uuidString.lowercased())"
        file = try SoundFile(path, O_RDWR | O_CREAT | O_EXCL)
    }

    func remove() { unlink(path) }
}
