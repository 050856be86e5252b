// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain

/// Lets one request at a time work on an upload. Requests do not wait: the second one gets an error.
final class UploadLocks: Sendable {
    private struct Key: Hashable {
        let account: String
        let id: Identifier<Recording>
    }

    private let held = Guarded(Set<Key>())

    /// Runs `body` while no other request works on the upload.
    ///
    /// - Throws: ``UploadError/busy``, and the errors of `body`.
    func run<Value>(
        _ id: Identifier<Recording>, of account: String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let key = Key(account: account, id: id)
        guard held.withLock({ $0.insert(key).inserted }) else { throw UploadError.busy }
        defer { held.withLock { _ = $0.remove(key) } }
        return try await body()
    }
}

/// The reason why an upload does not continue.
enum UploadError: Error, Hashable {
    /// Another request works on it.
    case busy
    case notFound
    /// The bytes are not the announced sound; the upload is deleted.
    case wrongContent
    case wrongOffset(Int)
    case wrongChecksum
    /// More bytes arrived than were announced.
    case tooLong(Int)
    /// The recording's id belongs to another sound.
    case taken
    case tooMany
    case overQuota(free: Int)
    case isFinished
}
