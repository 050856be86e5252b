// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Networking
public import Persistence

/// Stored responses in a `CacheStore`, which several processes may use at once. A response that cannot be read or
/// written counts as missing.
public struct StoredHTTPCache: HTTPCacheStore {
    private let store: CacheStore

    /// Makes a cache in a store of its own.
    public init(_ store: CacheStore) { self.store = store }

    /// See `HTTPCacheStore`.
    public func variants(for key: String) async -> [CachedResponse] {
        guard let entry = try? await store.entry(for: key),
            let records = try? JSONDecoder().decode([Record].self, from: Data(entry.value))
        else { return [] }
        return records.compactMap(\.response)
    }

    /// See `HTTPCacheStore`.
    public func store(_ variants: [CachedResponse], for key: String) async {
        guard let bytes = try? JSONEncoder().encode(variants.map(Record.init)) else { return }
        try? await store.set(Array(bytes), for: key)
    }

    /// See `HTTPCacheStore`.
    public func remove(_ key: String) async { try? await store.remove(key) }

    /// See `HTTPCacheStore`.
    public func removeAll() async { try? await store.removeAll() }

    private struct Record: Codable {
        let status: Int
        let headers: [[String]]
        let url: String
        let varying: [String: String?]
        let requested: Date
        let responded: Date
        let body: Data

        init(_ response: CachedResponse) {
            status = response.status
            headers = response.headers.map { [$0.name, $0.value] }
            url = response.url.absoluteString
            varying = response.varying
            requested = response.requested
            responded = response.responded
            body = Data(response.body)
        }

        var response: CachedResponse? {
            guard let url = URL(string: url), headers.allSatisfy({ $0.count == 2 }) else { return nil }
            var fields: HTTPHeaders = [:]
            for field in headers { fields.add(name: field[0], value: field[1]) }
            return CachedResponse(
                status: status, headers: fields, url: url, varying: varying, requested: requested,
                responded: responded, body: Array(body))
        }
    }
}
