// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import Domain
import HTTPServer

/// The life of uploads: created, continued from the bytes on the disk, finished as recordings, or deleted.
struct UploadService: Sendable {
    /// The offset of an upload.
    struct Status: Sendable, Hashable {
        let offset: Int
        let length: Int
        /// The time of its deletion; `nil` once it is finished.
        let expiresAt: AuthTime?
    }

    let uploads: UploadStore
    let recordings: RecordingStore
    let sounds: SoundStore
    let removal: SoundRemoval
    let clock: AuthClock
    let logger: Logger
    /// Called after each new recording.
    let arrived: @Sendable () -> Void
    /// The owner of the leases on uploads.
    var instance: ServerInstance = .home

    private var folder: SoundFolder { sounds.folder }
    private var disk: DiskQueue { sounds.disk }
    private var locks: UploadLocks { UploadLocks(uploads: uploads, instance: instance) }

    var policy: UploadPolicy { uploads.policy }

    /// Creates an upload for a recording, or finds the existing one.
    func begin(_ recording: Recording, of account: String) async throws -> Status {
        try await locks.run(recording.id, of: account) { owner in
            let now = clock.now()
            switch try await uploads.admit(recording, of: account, by: owner, at: now) {
            case .finished: return Status(offset: recording.byteCount, length: recording.byteCount, expiresAt: nil)
            case .begun(let upload):
                try await uploads.mark(
                    recording.id, of: account, by: owner, unverifiedFrom: upload.unverifiedFrom, at: now)
                return try await advance(upload.touched(at: now), of: account, by: owner)
            case .taken: throw UploadError.taken
            case .tooMany: throw UploadError.tooMany
            case .overQuota(let free): throw UploadError.overQuota(free: free)
            case .new:
                try await disk.run { [folder] in try folder.create(recording.id, of: account) }
                return status(recording, 0, touchedAt: now)
            }
        }
    }

    /// The offset of an upload: the bytes on the disk.
    func status(_ id: Identifier<Recording>, of account: String) async throws -> Status {
        try await locks.run(id, of: account) { owner in
            if let upload = try await live(id, of: account) { return try await advance(upload, of: account, by: owner) }
            guard let recording = try await recordings.recording(id, of: account) else { throw UploadError.notFound }
            return Status(offset: recording.byteCount, length: recording.byteCount, expiresAt: nil)
        }
    }

    /// Takes a part. When this returns, all of it is on the disk.
    func append(
        _ body: RequestBody, at offset: Int, checksum: UploadSink.Checksum?, to id: Identifier<Recording>,
        of account: String
    ) async throws -> Status {
        try await locks.run(id, of: account) { owner in
            guard let upload = try await live(id, of: account) else {
                let finished = try await recordings.recording(id, of: account)
                throw finished.map { .wrongOffset($0.byteCount) } ?? UploadError.notFound
            }
            let (file, length) = try await opened(upload, of: account, by: owner)
            guard offset == length else { throw UploadError.wrongOffset(length) }
            let end = upload.recording.byteCount
            if let announced = body.length, announced > end - length { throw UploadError.tooLong(end) }
            // A part with a checksum counts only after the check: after a crash the server must know where it began.
            if checksum != nil {
                try await uploads.mark(id, of: account, by: owner, unverifiedFrom: length, at: clock.now())
            }
            var sink = UploadSink(file, disk: disk, offset: length, end: end)
            let result: Result<Void, any Error>
            do {
                try await sink.take(body, checksum: checksum)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            // Also after the client has disconnected: these bytes need not be sent again.
            try await disk.run { try file.synchronize() }
            guard try await uploads.mark(id, of: account, by: owner, unverifiedFrom: nil, at: clock.now()) else {
                throw try await gone(id, of: account)
            }
            try result.get()
            if sink.offset == end { return try await finish(upload.recording, file, of: account, by: owner) }
            return status(upload.recording, sink.offset, touchedAt: clock.now())
        }
    }

    /// Deletes an upload.
    func terminate(_ id: Identifier<Recording>, of account: String) async throws {
        try await locks.run(id, of: account) { _ in
            guard try await uploads.remove(id, of: account) else {
                guard try await recordings.recording(id, of: account) == nil else { throw UploadError.isFinished }
                throw UploadError.notFound
            }
            try await removal.remove(id, of: account)
        }
    }

    /// Deletes uploads that received no bytes for their lifetime, and files without a row.
    func deleteExpired(at time: AuthTime) async throws {
        for (account, id) in try await uploads.untouched(since: time + (.zero - policy.lifetime)) {
            do {
                try await terminate(id, of: account)
            } catch is UploadError {
                // A request is working on it.
            }
        }
    }

    // MARK: Steps

    /// The upload, unless it has expired.
    private func live(_ id: Identifier<Recording>, of account: String) async throws -> Upload? {
        guard let upload = try await uploads.upload(id, of: account) else { return nil }
        // Maintenance removes it: the time of day may be wrong.
        return upload.touchedAt + policy.lifetime < clock.now() ? nil : upload
    }

    /// The file, and the length of its checked part, all of it on the disk.
    private func opened(_ upload: Upload, of account: String, by owner: String) async throws -> (
        file: SoundFile, length: Int
    ) {
        let id = upload.recording.id
        let opened = try await disk.run { [folder] in
            // The file is missing if the server was killed before making it.
            guard let file = try? folder.open(id, of: account, forWriting: true) else {
                try folder.create(id, of: account)
                return (file: try folder.open(id, of: account, forWriting: true), length: 0)
            }
            var length = try file.length
            if let unverified = upload.unverifiedFrom, unverified < length {
                try file.truncate(to: unverified)
                length = unverified
            }
            try file.synchronize()
            return (file: file, length: length)
        }
        if upload.unverifiedFrom != nil {
            try await uploads.mark(id, of: account, by: owner, unverifiedFrom: nil, at: upload.touchedAt)
        }
        return opened
    }

    /// The offset of an upload; finishes one that is complete because the server was killed after its last byte.
    private func advance(_ upload: Upload, of account: String, by owner: String) async throws -> Status {
        let (file, length) = try await opened(upload, of: account, by: owner)
        if length == upload.recording.byteCount {
            return try await finish(upload.recording, file, of: account, by: owner)
        }
        return status(upload.recording, length, touchedAt: upload.touchedAt)
    }

    private func finish(
        _ recording: Recording, _ file: SoundFile, of account: String, by owner: String
    ) async throws -> Status {
        guard try await disk.run({ try file.hash() }) == recording.contentHash else {
            _ = try await uploads.remove(recording.id, of: account)
            try await removal.remove(recording.id, of: account)
            throw UploadError.wrongContent
        }
        // The object first: a row is a promise that the sound is there. Without its row the object is swept away.
        try await sounds.publish(recording.id, of: account)
        guard try await uploads.finish(recording, of: account, by: owner, at: clock.now()) else {
            throw try await gone(recording.id, of: account)
        }
        do { try await sounds.discardUpload(recording.id.description, of: account) } catch {
            logger.warning(
                "the file of a finished upload stays for a day: \(String(describing: error), privacy: .public)")
        }
        logger.info("a recording of \(recording.byteCount, privacy: .public) bytes arrived")
        arrived()
        return Status(offset: recording.byteCount, length: recording.byteCount, expiresAt: nil)
    }

    /// The upload was deleted while a request worked on it: its file may have been made again since.
    private func gone(_ id: Identifier<Recording>, of account: String) async throws -> UploadError {
        try await removal.remove(id, of: account)
        return .notFound
    }

    private func status(_ recording: Recording, _ offset: Int, touchedAt: AuthTime) -> Status {
        Status(offset: offset, length: recording.byteCount, expiresAt: touchedAt + policy.lifetime)
    }
}
