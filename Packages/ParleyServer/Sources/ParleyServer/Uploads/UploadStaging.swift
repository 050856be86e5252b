// SPDX-License-Identifier: MIT

import Domain
import HTTPServer

/// An upload that a request works on, with the lease that lets it.
struct UploadWork: Sendable {
    let upload: Upload
    let account: String
    let owner: String

    var recording: Recording { upload.recording }
    var id: Identifier<Recording> { upload.recording.id }
}

/// The place of the bytes of unfinished uploads. Its calls are made with the lease of the upload.
protocol UploadStaging: Sendable {
    /// Makes the place of a new upload.
    func begin(_ work: UploadWork) async throws

    /// The number of durable bytes. Bytes that were never checked are removed.
    func length(of work: UploadWork) async throws -> Int

    /// Takes a body behind the bytes that are there. The bytes of a body that fails stay, unless a check was requested.
    ///
    /// - Returns: The offset, up to which all bytes are durable; at the upload's end they are published, too.
    func take(_ body: RequestBody, checksum: UploadSink.Checksum?, of work: UploadWork) async throws -> Int

    /// Makes the bytes of a whole upload the sound of its recording. Repeatable.
    ///
    /// - Throws: ``UploadError/wrongContent`` if they are another sound.
    func publish(_ work: UploadWork) async throws

    /// Removes what a published or deleted upload leaves.
    func discard(_ work: UploadWork) async throws
}
