// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Networking
public import Sync
public import SyncWire

/// A relay as the place of a group: parley-server's `/sync`, behind an account.
///
/// The relay keeps objects apart by account and group, orders them, and tells of new ones by server-sent events. It needs
/// the account's access token, which the client adds.
public struct RelayTransport: SyncTransport {
    /// The most bytes of a listing: names and sizes of ``SyncLimit/listingCount`` objects take a fraction of it.
    private static let listingByteCount = 1 << 20
    private static let type = "application/octet-stream"

    private let client: HTTPClient
    private let group: String

    /// A group at a relay.
    ///
    /// - Parameters:
    ///   - client: Sends the requests: its base URL is the relay's, and its tokens are the account's.
    ///   - group: The id of the group, `SyncLimit.groupByteCount` bytes. Two accounts that use one id have two groups.
    public init(client: HTTPClient, group: [UInt8]) {
        precondition(
            group.count == SyncLimit.groupByteCount, "The id of a group has \(SyncLimit.groupByteCount) bytes.")
        self.client = client
        let digits = Array("0123456789abcdef".utf8)
        self.group = String(
            decoding: group.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// See `SyncTransport`. The time is that of the answer's `Date`. A cursor of another database than the relay's present one gives a whole listing.
    public func list(after cursor: SyncCursor?) async throws -> SyncListing {
        let (bytes, time) = try await syncErrors {
            var request = try client.request(.get, "sync/\(group)/objects", query: ["after": cursor?.text])
            request.headers["Accept"] = "application/json"
            let response = try await client.send(request)
            guard response.isSuccess else {
                throw await NetworkError(response, to: request, now: client.currentDate)
            }
            return (try await response.body.collect(upTo: Self.listingByteCount), response.time)
        }
        guard var listing = try? JSONDecoder().decode(RelayListing.self, from: Data(bytes)).listing() else {
            throw SyncError(
                code: .invalidAnswer,
                message: "The relay's list of objects is not understood. Check its address, and update this program.")
        }
        listing.time = time
        return listing
    }

    /// See `SyncTransport`.
    public func read(_ name: SyncObjectName) async throws -> [UInt8] {
        try await syncErrors(of: name) {
            var request = try client.request(.get, path(of: name))
            request.headers["Accept"] = Self.type
            return try await client.bytes(for: request, upTo: SyncLimit.objectByteCount)
        }
    }

    /// See `SyncTransport`. The relay answers once the object is on its disk.
    public func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        guard bytes.count <= SyncLimit.objectByteCount else {
            throw SyncError(code: .tooLarge, message: "An object has at most \(SyncLimit.objectByteCount) bytes.")
        }
        try await syncErrors {
            var request = try client.request(.put, path(of: name))
            request.headers["Content-Type"] = Self.type
            request.body = .bytes(bytes)
            _ = try await client.bytes(for: request)
        }
    }

    /// See `SyncTransport`.
    public func remove(_ name: SyncObjectName) async throws {
        try await syncErrors { try await client.delete(path(of: name)) }
    }

    /// See `SyncTransport`. There is an event with each connection to the relay unless nothing was created since the
    /// one before, so that nothing is missed between two. It ends when the relay refuses.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watch = Task {
            defer { continuation.finish() }
            guard let request = try? client.request(.get, "sync/\(group)/events") else { return }
            var configuration = EventSource.Configuration()
            // The relay ends a stream with the life of its token, and many at once when it restarts.
            configuration.reconnectionTime = .milliseconds(250)
            configuration.reconnectStatuses = [408, 429, 500, 502, 503, 504]
            let events = EventSource(request, transport: client, configuration: configuration)
            do {
                for try await _ in events { continuation.yield() }
            } catch {
                // The consumer hears the reason from its next call.
            }
        }
        continuation.onTermination = { _ in watch.cancel() }
        return stream
    }

    private func path(of name: SyncObjectName) -> HTTPPath { "sync/\(group)/objects/\(name.text)" }
}
