// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import Domain
import HTTPServer

/// The life of uploads: created, continued from the durable bytes, finished as recordings, or deleted.
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

    private var staging: any UploadStaging {
        sounds.isLocal
            ? FileStaging(uploads: uploads, folder: sounds.folder, clock: clock)
            : BucketStaging(uploads: uploads, sounds: sounds, clock: clock)
    }
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
                return try await advance(UploadWork(upload: upload.touched(at: now), account: account, owner: owner))
            case .taken: throw UploadError.taken
            case .tooMany: throw UploadError.tooMany
            case .overQuota(let free): throw UploadError.overQuota(free: free)
            case .new:
                let upload = Upload(recording: recording, touchedAt: now, unverifiedFrom: nil)
                try await staging.begin(UploadWork(upload: upload, account: account, owner: owner))
                return status(recording, 0, touchedAt: now)
            }
        }
    }

    /// The offset of an upload: its durable bytes.
    func status(_ id: Identifier<Recording>, of account: String) async throws -> Status {
        try await locks.run(id, of: account) { owner in
            if let upload = try await live(id, of: account) {
                return try await advance(UploadWork(upload: upload, account: account, owner: owner))
            }
            guard let recording = try await recordings.recording(id, of: account) else { throw UploadError.notFound }
            return Status(offset: recording.byteCount, length: recording.byteCount, expiresAt: nil)
        }
    }

    /// Takes a part. When this returns, all of it is durable.
    func append(
        _ body: RequestBody, at offset: Int, checksum: UploadSink.Checksum?, to id: Identifier<Recording>,
        of account: String
    ) async throws -> Status {
        try await locks.run(id, of: account) { owner in
            guard let upload = try await live(id, of: account) else {
                let finished = try await recordings.recording(id, of: account)
                throw finished.map { .wrongOffset($0.byteCount) } ?? UploadError.notFound
            }
            let work = UploadWork(upload: upload, account: account, owner: owner)
            let length = try await staging.length(of: work)
            guard offset == length else { throw UploadError.wrongOffset(length) }
            let end = upload.recording.byteCount
            if let announced = body.length, announced > end - length { throw UploadError.tooLong(end) }
            return try await removingRefused(work) {
                let taken = try await staging.take(body, checksum: checksum, of: work)
                guard taken == end else { return status(upload.recording, taken, touchedAt: clock.now()) }
                return try await finish(work)
            }
        }
    }

    /// Deletes an upload.
    func terminate(_ id: Identifier<Recording>, of account: String) async throws {
        try await locks.run(id, of: account) { owner in
            guard let upload = try await uploads.upload(id, of: account) else {
                guard try await recordings.recording(id, of: account) == nil else { throw UploadError.isFinished }
                throw UploadError.notFound
            }
            try await remove(UploadWork(upload: upload, account: account, owner: owner))
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

    /// The offset of an upload; finishes one that is complete because the server was killed after its last byte.
    private func advance(_ work: UploadWork) async throws -> Status {
        let length = try await staging.length(of: work)
        guard length == work.recording.byteCount else {
            return status(work.recording, length, touchedAt: work.upload.touchedAt)
        }
        return try await removingRefused(work) {
            try await staging.publish(work)
            return try await finish(work)
        }
    }

    /// Stores the recording. Its object is there: a row is a promise of the sound, and an object without one is swept away.
    private func finish(_ work: UploadWork) async throws -> Status {
        guard try await uploads.finish(work.recording, of: work.account, by: work.owner, at: clock.now()) else {
            // Deleted meanwhile: its file may have been made again since. Or another request has taken it over.
            throw try await uploads.upload(work.id, of: work.account) == nil ? UploadError.notFound : .busy
        }
        await discard(work)
        let count = work.recording.byteCount
        logger.info("a recording of \(count, privacy: .public) bytes arrived")
        arrived()
        return Status(offset: count, length: count, expiresAt: nil)
    }

    /// Deletes an upload whose bytes are not the announced sound, and the bytes of one that was deleted meanwhile.
    private func removingRefused<Value>(_ work: UploadWork, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch UploadError.wrongContent {
            try await remove(work)
            throw UploadError.wrongContent
        } catch UploadError.notFound {
            try await removal.remove(work.id, of: work.account)
            throw UploadError.notFound
        }
    }

    private func remove(_ work: UploadWork) async throws {
        _ = try await uploads.remove(work.id, of: work.account)
        try await removal.remove(work.id, of: work.account)
        await discard(work)
    }

    private func discard(_ work: UploadWork) async {
        do { try await staging.discard(work) } catch {
            logger.warning("pieces of an upload stay for a day: \(String(describing: error), privacy: .public)")
        }
    }

    private func status(_ recording: Recording, _ offset: Int, touchedAt: AuthTime) -> Status {
        Status(offset: offset, length: recording.byteCount, expiresAt: touchedAt + policy.lifetime)
    }
}
