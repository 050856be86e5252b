// SPDX-License-Identifier: MIT

import Concurrency
public import FoundationEssentials
public import Networking
public import Sync
public import SyncWire

/// A folder of a WebDAV server (RFC 4918): Nextcloud, Apache's mod_dav, a NAS.
///
/// Each object is a resource of its name in `URL/parley-sync/`. It is uploaded under another name and moved with
/// `Overwrite: F`. A PUT with `If-None-Match: *` would be one request less, but only some servers keep what it needs:
/// Apache and Nextcloud write a PUT beside and rename it; others (rclone, wsgidav) write into the resource that others
/// read meanwhile, and do not look at the condition. All of them refuse a MOVE onto an existing resource (§9.9.3).
///
/// Of devices that move different objects to one name at the same moment, Apache may tell several that theirs is kept,
/// since it looks and renames in two steps (measured: of eight, in 244 of 400 rounds). Objects of this package have one writer each, or a name that is their hash.
///
/// The collection at the URL itself is never made. A listing has everything. WebDAV does not report changes.
public final class WebDAVTransport: SyncTransport {
    let client: WebDAVClient
    /// The collection that the person chose, and that of the objects in it.
    private let (base, objects): (URL, URL)
    /// True once the collection of the objects was there: if it is missing in the answer to a later request, the place is
    /// out of reach.
    private let wasThere = Guarded(false)
    private let now: @Sendable () -> Int64

    /// A place at a server, with connections of its own.
    ///
    /// - Parameters:
    ///   - url: An existing collection, such as `https://cloud.example/remote.php/dav/files/ada`. Plain `http` is
    ///     allowed to the hosts of the configuration.
    ///   - user: The user's name.
    ///   - password: The user's password; better one that the server made for this device (an app password).
    ///   - connections: Trust, proxy and time limits.
    /// - Throws: `SyncError` with the code `mistyped` for an invalid URL or user name.
    public convenience init(
        url: URL, user: String, password: String, connections: CurlTransport.Configuration = .init()
    ) throws {
        let transport: CurlTransport
        do { transport = try CurlTransport(configuration: connections) } catch { throw SyncError.network(error) }
        try self.init(url: url, user: user, password: password, over: transport)
    }

    /// A place at a server, over a transport of HTTP.
    ///
    /// - Throws: As ``init(url:user:password:connections:)``.
    public convenience init(url: URL, user: String, password: String, over transport: any HTTPTransport) throws {
        try self.init(url: url, user: user, password: password, over: transport) { UnfinishedName.currentTime() }
    }

    init(
        url: URL, user: String, password: String, over transport: any HTTPTransport,
        now: @escaping @Sendable () -> Int64
    ) throws {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host() != nil, url.query() == nil,
            url.fragment() == nil, url.user() == nil
        else {
            throw SyncError(
                code: .mistyped,
                message:
                    "Write the address of a WebDAV folder as https://cloud.example/dav, and the user apart from it.")
        }
        guard !user.isEmpty, !user.contains(":") else {
            throw SyncError(code: .mistyped, message: "A user name is not empty and has no colon.")
        }
        client = WebDAVClient(transport: transport, user: user, password: password)
        base = url.appending(path: "", directoryHint: .isDirectory)
        objects = url.appending(path: FolderTransport.objectFolderName, directoryHint: .isDirectory)
        self.now = now
    }

    /// Everything in the collection; the cursor does not matter. Leftovers of this program that are older than a day are
    /// removed.
    public func list(after cursor: SyncCursor?) async throws -> SyncListing {
        let wasThereBefore = wasThere.withLock { $0 }
        let answer = try await client.send(.propfind, objects)
        if answer.status == 404 {
            guard !wasThereBefore else { throw isGone(objects) }
            let parent = try await client.send(.propfind, base, headers: ["Depth": "0"])
            guard parent.status != 404 else { throw isGone(base) }
            try parent.require(207)
            return SyncListing(objects: [], cursor: nil, isWhole: true, hasMore: false, time: answer.time)
        }
        try answer.require(207)
        wasThere.withLock { $0 = true }
        let files = try WebDAVListing(answer.body)
        // A few at a time: the listing is waited for.
        for name in files.otherNames.filter({ UnfinishedName.isLeftover($0, now: now()) }).prefix(8) {
            _ = try await client.send(.delete, url(name))
        }
        return SyncListing(
            objects: files.objects, cursor: nil, isWhole: true, hasMore: false, time: answer.time)
    }

    /// The bytes as the server has them.
    public func read(_ name: SyncObjectName) async throws -> [UInt8] {
        let answer: WebDAVClient.Answer
        do { answer = try await client.send(.get, url(name.text), limit: SyncLimit.objectByteCount) } catch let error
            as SyncError where error.code == .tooLarge
        { throw SyncError.tooLarge(name) }
        if [404, 410].contains(answer.status) { throw SyncError.notFound(name) }
        try answer.require(200)
        return answer.body
    }

    /// Uploads the object and moves it to its name. The server decides when it is on its disk.
    public func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        guard bytes.count <= SyncLimit.objectByteCount else { throw SyncError.tooLarge(name) }
        let temporary = url(UnfinishedName.make(now: now()))
        try await upload(bytes, to: temporary)
        let target = url(name.text)
        let move: WebDAVClient.Answer
        do {
            move = try await client.send(
                .move, temporary, headers: ["Destination": target.absoluteString, "Overwrite": "F"])
        } catch {
            _ = try? await client.send(.delete, temporary)
            throw error
        }
        if [201, 204].contains(move.status) { return }
        _ = try await client.send(.delete, temporary)
        try move.require(412)
        do {
            guard try await read(name) == bytes else { throw SyncError.exists(name) }
        } catch let error as SyncError where error.code == .tooLarge {
            throw SyncError.exists(name)
        }
    }

    /// Removes a resource.
    public func remove(_ name: SyncObjectName) async throws {
        let answer = try await client.send(.delete, url(name.text))
        if ![404, 410].contains(answer.status) { try answer.require(200, 202, 204) }
    }

    /// Never an event, since WebDAV has none; it ends when the consumer's task is cancelled. List from time to time.
    public func changes() -> AsyncStream<Void> { AsyncStream { _ in } }

    private func upload(_ bytes: [UInt8], to url: URL) async throws {
        // Another task may make the collection while this request is under way.
        let wasThereBefore = wasThere.withLock { $0 }
        var answer = try await client.send(.put, url, body: bytes)
        // RFC 4918 §9.7.1 says 409 for a missing collection; some servers say 404.
        if [404, 409].contains(answer.status) {
            guard !wasThereBefore else { throw isGone(objects) }
            let folder = try await client.send(.mkcol, objects)
            if [404, 409].contains(folder.status) { throw isGone(base) }
            answer = try await client.send(.put, url, body: bytes)
            // Another device may have been faster: 405, and 403 by Apache if both came at the same moment.
            if [404, 409].contains(answer.status) { try folder.require(201, 405) }
        }
        try answer.require(200, 201, 204)
        wasThere.withLock { $0 = true }
    }

    private func url(_ name: String) -> URL { objects.appending(path: name, directoryHint: .notDirectory) }

    private func isGone(_ collection: URL) -> SyncError {
        SyncError(
            code: .unreachable,
            message:
                "The server has no folder \(collection.path()). Check the address; if it is a new place, make the folder."
        )
    }
}
