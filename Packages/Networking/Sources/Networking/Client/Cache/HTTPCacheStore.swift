// SPDX-License-Identifier: MIT

/// Where stored responses are kept. A store may forget anything at any time, and never fails a request.
public protocol HTTPCacheStore: Sendable {
    /// The variants that are stored for a key, the newest first.
    func variants(for key: String) async -> [CachedResponse]

    /// Stores these variants in place of those that were there.
    func store(_ variants: [CachedResponse], for key: String) async

    /// Forgets a key.
    func remove(_ key: String) async

    /// Forgets everything.
    func removeAll() async
}
