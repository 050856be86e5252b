// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
public import DataLayer
import Digests
public import Domain
import DurableFiles
import FoundationEssentials
import Glibc
import SealedRecordings

/// One owner's recordings: rows in an SQLite database, and the sound in sealed files, one each.
///
/// The file is written before its row, and the row is deleted before the file: a crash in between leaves a file without
/// a row, which ``unfinished()`` finds, and never a row without a file.
public struct SealedRecordingRepository: RecordingRepository {
    let index: SQLiteRecordingIndex
    private let path: String
    let folder: @Sendable () async throws -> SealedRecordingFolder

    /// Makes the repository of an index and its folder.
    ///
    /// - Parameters:
    ///   - index: The rows.
    ///   - path: The path of the files, so that deleting one, and an empty folder, need no key.
    ///   - folder: Opens the folder; called when a sound is needed. Owners who do not trust each other have folders of
    ///     their own, since only the recording's id identifies a file.
    public init(
        _ index: SQLiteRecordingIndex, path: String,
        folder: @escaping @Sendable () async throws -> SealedRecordingFolder
    ) {
        self.index = index
        self.path = path
        self.folder = folder
    }

    /// Keeps a recording whose sealed file is in the folder, and puts it into the queue if there is one: the `keep` of
    /// ``SealedPracticeRecorder``.
    public func keep(_ recording: Recording) async throws { _ = try await index.insert(recording) }

    /// See `RecordingRepository`. The sound is encrypted while it arrives.
    public func store(_ recording: Recording, content: any RecordingContent) async throws {
        guard try await index.recording(recording.id) == nil else { return }
        guard content.byteCount == recording.byteCount, recording.byteCount > 0 else { throw Self.otherSound }
        let folder = try await folder()
        let path = folder.path(of: recording.id)
        // The file has an id of its own, so that after a crash it is found like any other file without a row.
        let unfinished = folder.path(of: Identifier<Recording>())
        do {
            try await domainErrors {
                let file = try await SealedRecordingImport.create(
                    at: unfinished, id: recording.id.description, key: folder.key,
                    format: AudioFormat(sampleRate: recording.sampleRate),
                    encoding: recording.format == .flac ? .flac16 : .oggOpus, startedAt: recording.createdAt)
                var offset = 0
                while case let piece = try await content.bytes(at: offset, maximum: 1 << 18), !piece.isEmpty {
                    try Task.checkCancellation()
                    try await file.append(piece)
                    offset += piece.count
                }
                let frameCount = Int((recording.duration * Double(recording.sampleRate)).rounded())
                let stored = try await file.finish(frameCount: frameCount)
                guard stored.byteCount == recording.byteCount, Hexadecimal.text(stored.sha256) == recording.contentHash
                else {
                    throw Self.otherSound
                }
                try await BlockingCall.run { () throws(FileError) in try DurableFile.move(unfinished, to: path) }
            }
        } catch {
            unlink(unfinished)
            throw error
        }
        _ = try await index.insert(recording)
    }

    /// See `RecordingRepository`.
    public func recording(_ id: Identifier<Recording>) async throws -> Recording? { try await index.recording(id) }

    /// See `RecordingRepository`.
    public func recordings(after cursor: RecordingCursor?, limit: Int) async throws -> [Recording] {
        try await index.recordings(after: cursor, limit: limit)
    }

    /// See `RecordingRepository`.
    public func content(of id: Identifier<Recording>) async throws -> any RecordingContent {
        guard try await index.recording(id) != nil else { throw DomainError.notFound("recording \(id)") }
        return SealedRecordingContent(reader: try await folder().open(id))
    }

    /// See `RecordingRepository`. With a queue, the server learns of the deletion.
    public func delete(_ id: Identifier<Recording>) async throws -> Bool {
        guard try await index.delete(id) else { return false }
        try await remove(id)
        return true
    }

    /// Deletes a recording from this device only, for a retention rule; true if it was deleted. A recording that is
    /// still to be sent stays.
    public func expire(_ id: Identifier<Recording>) async throws -> Bool {
        guard try await index.expire(id) else { return false }
        try await remove(id)
        return true
    }

    /// The files without a row of any account that no program holds and that have not changed since a time: the rest of
    /// a crash or a kill.
    func abandoned(since time: Date = .distantFuture) async throws -> [Identifier<Recording>] {
        try await unknown(SealedRecordingFolder.recordings(in: path)).filter { id in
            let path = SealedRecordingFolder.path(of: id, in: path)
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let changed = attributes?[.modificationDate] as? Date, changed < time else { return false }
            return !RecordingHold.isHeld(path)
        }
    }

    /// Deletes a file, which needs no key.
    func remove(_ id: Identifier<Recording>) async throws { try await SealedRecordingFolder.remove(id, in: path) }

    private func unknown(_ ids: [Identifier<Recording>]) async throws -> [Identifier<Recording>] {
        var unknown: [Identifier<Recording>] = []
        for id in ids where try await !index.isKnown(id) { unknown.append(id) }
        return unknown
    }

    private static let otherSound = DomainError.invalidInput("The sound is not that of the recording.")
}

/// The encoded sound in a sealed file.
private struct SealedRecordingContent: RecordingContent {
    let reader: SealedRecordingReader

    var byteCount: Int { reader.recording.byteCount }

    func bytes(at offset: Int, maximum: Int) async throws -> [UInt8] {
        try await domainErrors { Array(try await reader.encodedBytes(at: offset, maximum: maximum)) }
    }
}
