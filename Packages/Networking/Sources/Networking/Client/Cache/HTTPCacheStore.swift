// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
public import FoundationEssentials

/// Keeps responses. A store may drop any response at any time, and never fails a request.
public protocol HTTPCacheStore: Sendable {
    /// The variants that are stored for a key, the newest first.
    func variants(for key: String) async -> [CachedResponse]

    /// Stores these variants in place of the present ones.
    func store(_ variants: [CachedResponse], for key: String) async

    /// Removes a key.
    func remove(_ key: String) async

    /// Removes everything.
    func removeAll() async
}

/// A stored response, with the facts for its validation.
public struct CachedResponse: Sendable, Hashable {
    /// The status.
    public var status: Int
    /// The fields, without those that belong to one connection or to the encoding on the way.
    public var headers: HTTPHeaders
    /// The address that answered.
    public var url: URL
    /// The request's fields that `Vary` names, in lower case; `nil` if the request lacked the field.
    public var varying: [String: String?]
    /// The time at which the request was sent.
    public var requested: Date
    /// The time at which the response arrived.
    public var responded: Date
    /// The content, decompressed.
    public var body: [UInt8]

    /// A stored response.
    public init(
        status: Int, headers: HTTPHeaders, url: URL, varying: [String: String?], requested: Date, responded: Date,
        body: [UInt8]
    ) {
        self.status = status
        self.headers = headers
        self.url = url
        self.varying = varying
        self.requested = requested
        self.responded = responded
        self.body = body
    }

    /// The approximate bytes of memory that it takes.
    public var size: Int {
        body.count + headers.reduce(256) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
}

/// A store that ends with the process. When it is full, the least recently used response is removed first.
public final class InMemoryCacheStore: HTTPCacheStore {
    private struct Entry {
        var variants: [CachedResponse]
        var size: Int
        var used: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var counter = 0
    }

    private let maximumBytes: Int
    private let state = Guarded(State())

    /// A store of so many bytes at most.
    public init(maximumBytes: Int = 16 << 20) {
        self.maximumBytes = maximumBytes
    }

    /// The number of bytes that are stored.
    public var size: Int { state.withLock { $0.size } }

    /// The variants that are stored for a key, the newest first.
    public func variants(for key: String) async -> [CachedResponse] {
        state.withLock { state in
            state.counter += 1
            state.entries[key]?.used = state.counter
            return state.entries[key]?.variants ?? []
        }
    }

    /// Stores these variants, and removes others to make room.
    public func store(_ variants: [CachedResponse], for key: String) async {
        state.withLock { state in
            state.size -= state.entries.removeValue(forKey: key)?.size ?? 0
            let size = variants.reduce(key.utf8.count) { $0 + $1.size }
            guard size <= maximumBytes, !variants.isEmpty else { return }
            state.counter += 1
            state.entries[key] = Entry(variants: variants, size: size, used: state.counter)
            state.size += size
            while state.size > maximumBytes, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
                state.entries[oldest.key] = nil
                state.size -= oldest.value.size
            }
        }
    }

    /// Removes a key.
    public func remove(_ key: String) async {
        state.withLock { state in state.size -= state.entries.removeValue(forKey: key)?.size ?? 0 }
    }

    /// Removes everything.
    public func removeAll() async {
        state.withLock { $0 = State() }
    }
}
