// SPDX-License-Identifier: MIT

import Domain

/// Lets one request at a time work on an upload, of all instances of the server. Requests do not wait: the second one
/// gets an error.
struct UploadLocks: Sendable {
    let uploads: UploadStore
    let instance: ServerInstance

    /// Runs `body` while no other request works on the upload.
    ///
    /// - Parameter body: Gets the owner of the lease, for an upload that it begins.
    /// - Throws: ``UploadError/busy``, and the errors of `body`.
    func run<Value: Sendable>(
        _ id: Identifier<Recording>, of account: String,
        _ body: @escaping @Sendable (_ owner: String) async throws -> Value
    ) async throws -> Value {
        let owner = instance.request()
        guard try await uploads.take(id, of: account, owner) else { throw UploadError.busy }
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await Lease.hold(
                    length: UploadStore.lease, renew: { try await uploads.renew(id, of: account, owner) }
                ) {
                    try await body(owner)
                })
        } catch is LeaseLost {
            result = .failure(UploadError.busy)
        } catch {
            result = .failure(error)
        }
        // Also for a client that has disconnected: it comes back at once.
        let giving = Task { try? await uploads.giveBack(id, of: account, owner) }
        await giving.value
        return try result.get()
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
