// SPDX-License-Identifier: MIT

public import FoundationEssentials
public import Networking

/// Objects in a bucket of Amazon S3, or of a server that speaks its API: Ceph, MinIO, Garage, R2.
///
/// Requests are signed (``S3Configuration`` says for which region), and repeated with growing waits after 500, 503,
/// SlowDown and lost connections. The store's clock is learned from its `Date` when it refuses a signature for its time.
/// A write has happened when the store says so: Amazon then has it at several places. No credential appears in an error.
public final class S3ObjectStore: ObjectStore {
    let client: S3Client

    /// A bucket, over connections of its own.
    ///
    /// - Throws: ``ObjectStoreError`` with the code `network` if the system has no thread or memory left.
    public convenience init(_ configuration: S3Configuration, credentials: S3CredentialSource) throws {
        let transport: CurlTransport
        do { transport = try CurlTransport(configuration: configuration.connections) } catch let error as NetworkError {
            throw ObjectStoreError.ofNetwork(error)
        }
        self.init(configuration, credentials: credentials, over: transport)
    }

    /// A bucket, over a transport of HTTP.
    public init(
        _ configuration: S3Configuration, credentials: S3CredentialSource, over transport: any HTTPTransport,
        clock: ClientClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        client = S3Client(configuration, credentials, over: transport, clock: clock, random: random)
    }

    /// PutObject. At most 5 GB at Amazon; see ``ObjectStore/put(_:file:partByteCount:sha256:)``.
    public func put(_ key: ObjectKey, _ content: ObjectContent) async throws {
        _ = try await client.answer(
            S3Client.Call(
                action: "s3:PutObject", method: .put, name: client.address.name(of: key), content: content, key: key))
    }

    /// GetObject. A body that breaks off is continued where it did, unless the object was replaced meanwhile.
    public func get(_ key: ObjectKey, range: Range<Int>?) async throws -> StoredObject {
        if let range, range.isEmpty || range.lowerBound < 0 { throw ObjectStoreError.outOfRange(key) }
        let first = try await open(key, range, match: nil)
        let (info, bytes) = (first.info, first.range)
        let chunks = ObjectChunks { [self] in
            var iterator = first.body.makeAsyncIterator()
            var (offset, failures) = (bytes.lowerBound, 0)
            return {
                while true {
                    do {
                        if let chunk = try await iterator.next() {
                            (offset, failures) = (offset + chunk.count, 0)
                            return chunk
                        }
                        guard offset == bytes.upperBound else { throw ObjectStoreError.invalidAnswer("too few bytes") }
                        return nil
                    } catch let error as NetworkError {
                        failures += 1
                        guard error.isTransient, failures <= 3, offset < bytes.upperBound, first.tag != nil else {
                            throw ObjectStoreError.ofNetwork(error)
                        }
                        iterator = try await self.open(key, offset..<bytes.upperBound, match: first.tag).body
                            .makeAsyncIterator()
                    }
                }
            }
        }
        return StoredObject(info: info, range: bytes, chunks: chunks)
    }

    /// HeadObject.
    public func head(_ key: ObjectKey) async throws -> ObjectInfo {
        let response = try await client.send(
            S3Client.Call(action: "s3:GetObject", method: .head, name: client.address.name(of: key), key: key))
        guard let size = response.headers["Content-Length"].flatMap({ Int($0) }) else {
            throw ObjectStoreError.invalidAnswer("no length")
        }
        return ObjectInfo(key: key, size: size, modifiedAt: try response.lastModified)
    }

    /// ListObjectsV2.
    public func list(prefix: String, after cursor: ObjectCursor?, limit: Int) async throws -> ObjectPage {
        var query = [
            (name: "list-type", value: "2"), (name: "encoding-type", value: "url"),
            (name: "max-keys", value: "\(min(max(limit, 1), 1_000))"),
            (name: "prefix", value: client.address.name(ofPrefix: prefix)),
        ]
        if let cursor { query.append((name: "continuation-token", value: cursor.text)) }
        let listing = try S3Listing(
            await client.answer(S3Client.Call(action: "s3:ListBucket", method: .get, query: query)))
        let objects = listing.objects.compactMap { object in
            client.address.key(of: object.name).map {
                ObjectInfo(key: $0, size: object.size, modifiedAt: object.modifiedAt)
            }
        }
        return ObjectPage(objects: objects, next: listing.next.map { ObjectCursor($0) })
    }

    /// DeleteObject.
    public func delete(_ key: ObjectKey) async throws {
        do {
            _ = try await client.answer(
                S3Client.Call(
                    action: "s3:DeleteObject", method: .delete, name: client.address.name(of: key), key: key))
        } catch let error as ObjectStoreError where error.code == .notFound {}
    }

    /// A presigned address ("Authenticating requests: using query parameters").
    public func presignedURL(_ use: PresignedUse, _ key: ObjectKey, lifetime: Duration) async throws -> URL? {
        let address = client.address
        let name = try address.name(of: key)
        let signature = SignatureV4(
            credentials: try await client.credentials.credentials(), region: client.signing.region,
            time: client.signing.time)
        let query = try signature.presignedQuery(
            for: SignatureV4.Request(
                method: use == .get ? "GET" : "PUT", path: address.path(of: name),
                headers: [(name: "host", value: address.host)], payload: ""),
            lifetime: Int(min(max(lifetime.components.seconds, 1), 7 * 86_400)))
        return try address.url(of: name, query: query)
    }

    /// Lists, writes, reads and deletes an object of its own, and begins, lists and aborts an upload in parts: seven
    /// requests.
    public func check() async throws { try await checkByUse() }

    private struct Opened {
        let info: ObjectInfo
        let range: Range<Int>
        let tag: String?
        let body: HTTPResponseBody
    }

    private func open(_ key: ObjectKey, _ range: Range<Int>?, match tag: String?) async throws -> Opened {
        var headers: HTTPHeaders = [:]
        if let range { headers["Range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)" }
        if let tag { headers["If-Match"] = tag }
        let response = try await client.send(
            S3Client.Call(
                action: "s3:GetObject", method: .get, name: client.address.name(of: key), headers: headers, key: key))
        guard response.status == (range == nil ? 200 : 206) else {
            throw ObjectStoreError.invalidAnswer("the status \(response.status) for a range")
        }
        let bytes: Range<Int>
        let size: Int
        if range == nil {
            guard let length = response.headers["Content-Length"].flatMap({ Int($0) }), length >= 0 else {
                throw ObjectStoreError.invalidAnswer("no length")
            }
            (bytes, size) = (0..<length, length)
        } else {
            guard let found = S3ContentRange(response.headers["Content-Range"] ?? ""),
                found.range.lowerBound == range?.lowerBound, found.range.upperBound <= range?.upperBound ?? 0
            else { throw ObjectStoreError.invalidAnswer("another range") }
            (bytes, size) = (found.range, found.size)
        }
        return Opened(
            info: ObjectInfo(key: key, size: size, modifiedAt: try response.lastModified), range: bytes,
            tag: response.headers["ETag"], body: response.body)
    }
}

/// The value of `Content-Range`, such as `bytes 0-9/100` (RFC 9110 §14.4).
struct S3ContentRange {
    let range: Range<Int>
    let size: Int

    /// Nil for any other text.
    init?(_ text: String) {
        guard text.hasPrefix("bytes ") else { return nil }
        let numbers = text.dropFirst(6).split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }.map {
            Int($0)
        }
        guard numbers.count == 3, let first = numbers[0], let last = numbers[1], let size = numbers[2], first >= 0,
            first <= last, last < size
        else { return nil }
        (range, self.size) = (first..<(last + 1), size)
    }
}

extension HTTPResponse {
    fileprivate var lastModified: Date {
        get throws(ObjectStoreError) {
            guard let date = HTTPDate(headers["Last-Modified"] ?? "", now: Date())?.date else {
                throw .invalidAnswer("no time")
            }
            return date
        }
    }
}
