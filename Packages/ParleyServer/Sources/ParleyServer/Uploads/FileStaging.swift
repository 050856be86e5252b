// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Domain
import HTTPServer

/// Uploads of a home without a bucket: the file of an upload is the recording's from the first byte on.
struct FileStaging: UploadStaging {
    let uploads: UploadStore
    let folder: SoundFolder
    let clock: AuthClock

    func begin(_ work: UploadWork) async throws {
        try await BlockingCall.run { [folder] in try folder.create(work.id, of: work.account) }
    }

    func length(of work: UploadWork) async throws -> Int { try await opened(work).length }

    func take(_ body: RequestBody, checksum: UploadSink.Checksum?, of work: UploadWork) async throws -> Int {
        let (file, length) = try await opened(work)
        // A part with a checksum counts only after the check: after a crash the server must know where it began.
        if checksum != nil { try await mark(work, unverifiedFrom: length) }
        var sink = UploadSink(file, offset: length, end: work.recording.byteCount)
        let result: Result<Void, any Error>
        do { result = .success(try await sink.take(body, checksum: checksum)) } catch { result = .failure(error) }
        // Also after the client has disconnected: these bytes need not be sent again.
        try await BlockingCall.run { try file.synchronize() }
        try await mark(work, unverifiedFrom: nil)
        try result.get()
        if sink.offset == work.recording.byteCount { try await check(file, work) }
        return sink.offset
    }

    func publish(_ work: UploadWork) async throws { try await check(opened(work).file, work) }

    /// The file is the recording's, or was removed as the sound of nobody.
    func discard(_ work: UploadWork) {}

    // MARK: Steps

    private func mark(_ work: UploadWork, unverifiedFrom offset: Int?) async throws {
        guard
            try await uploads.mark(
                work.id, of: work.account, by: work.owner, unverifiedFrom: offset, at: clock.now())
        else { throw UploadError.notFound }
    }

    private func check(_ file: SoundFile, _ work: UploadWork) async throws {
        guard try await BlockingCall.run({ try file.hash() }) == work.recording.contentHash else {
            throw UploadError.wrongContent
        }
    }

    /// The file, and the length of its checked part, all of it on the disk.
    private func opened(_ work: UploadWork) async throws -> (file: SoundFile, length: Int) {
        let (id, account) = (work.id, work.account)
        let opened = try await BlockingCall.run { [folder] in
            // The file is missing if the server was killed before making it.
            guard let file = try? folder.open(id, of: account, forWriting: true) else {
                try folder.create(id, of: account)
                return (file: try folder.open(id, of: account, forWriting: true), length: 0)
            }
            var length = try file.length
            if let unverified = work.upload.unverifiedFrom, unverified < length {
                try file.truncate(to: unverified)
                length = unverified
            }
            try file.synchronize()
            return (file: file, length: length)
        }
        if work.upload.unverifiedFrom != nil {
            try await uploads.mark(
                id, of: account, by: work.owner, unverifiedFrom: nil, at: work.upload.touchedAt)
        }
        return opened
    }
}
