// SPDX-License-Identifier: MIT

/// Where uploads that are under way are remembered. What `save` has returned from must survive `kill -9`.
public protocol TusUploadStore: Sendable {
    /// The record of a key, or `nil`. A damaged record counts as none.
    func record(for key: String) async throws -> TusUploadRecord?
    /// Stores a record in place of an older one of its key.
    func save(_ record: TusUploadRecord) async throws
    /// Forgets a record; none is fine too.
    func remove(_ key: String) async throws
}
