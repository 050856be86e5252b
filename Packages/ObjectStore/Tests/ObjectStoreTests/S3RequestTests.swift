// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Networking
import NetworkingTestSupport
import Testing

@testable import ObjectStore

/// Answers that moto does not give, from a script.
struct S3RequestTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)
    private static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    /// Content that can be read once.
    private var once: ObjectContent {
        ObjectContent(
            AsyncStream { stream in
                stream.yield([1])
                stream.finish()
            }, length: 1)
    }
    private static let credentials = S3Credentials(accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: secret)
    private let key: ObjectKey

    init() throws { key = try ObjectKey("ada/1") }

    private func store(
        _ transport: ScriptedTransport, credentials: S3CredentialSource = .fixed(credentials),
        endpoint: String? = nil
    ) throws -> S3ObjectStore {
        var configuration = try S3Configuration(
            bucket: "sounds", region: "eu-north-1", endpoint: endpoint.flatMap { URL(string: $0) })
        configuration.retry.baseDelay = .zero
        return S3ObjectStore(
            configuration, credentials: credentials, over: transport,
            clock: ClientClock(ContinuousClock(), date: { Self.time }))
    }

    private static func answer(
        _ status: Int, _ code: String? = nil, headers: HTTPHeaders = [:], body: String? = nil
    ) -> ScriptedTransport.Answer {
        let text = body ?? code.map { "<Error><Code>\($0)</Code><Message>Said so.</Message></Error>" } ?? ""
        return { request in
            // The body is read as by a network, so that it is checked.
            if case .stream(let stream) = request.body { try await stream.read { _ in } }
            return HTTPResponse(
                status: status, headers: headers, url: request.url, body: HTTPResponseBody(Array(text.utf8)))
        }
    }

    /// An answer whose connection is lost after its first bytes.
    private static func torn(_ start: some Sequence<UInt8>, _ headers: HTTPHeaders) -> ScriptedTransport.Answer {
        let start = Array(start)
        return {
            HTTPResponse(status: 200, headers: headers, url: $0.url, body: HTTPResponseBody(source: Torn(start)))
        }
    }

    private func failure(_ body: () async throws -> Void) async -> ObjectStoreError? {
        do { try await body() } catch { return error as? ObjectStoreError }
        return nil
    }

    @Test func `a busy store is asked again`() async throws {
        let transport = ScriptedTransport([
            Self.answer(503, "SlowDown"), Self.answer(500, "InternalError"),
            { _ in throw NetworkError(code: .connectionLost, message: "lost") }, Self.answer(200),
        ])
        try await store(transport).put(key, .bytes([1, 2, 3]))
        #expect(transport.requests.count == 4)
        let signatures = Set(transport.requests.map { $0.headers["Authorization"] ?? "" })
        #expect(signatures.count == 1 && signatures.first?.contains("host;x-amz-content-sha256;x-amz-date") == true)
    }

    @Test func `a store that stays busy is an error that passes`() async throws {
        let transport = ScriptedTransport(Self.answer(503, "SlowDown"))
        let error = await failure { try await store(transport).put(key, .bytes([1])) }
        #expect(error?.code == .busy && error?.isTransient == true && transport.requests.count == 5)
    }

    @Test func `content that can be read once is sent once`() async throws {
        let transport = ScriptedTransport(Self.answer(503))
        let error = await failure { try await store(transport).put(key, once) }
        #expect(error?.code == .busy && transport.requests.count == 1)
        #expect(transport.requests.first?.headers["x-amz-content-sha256"] == "UNSIGNED-PAYLOAD")
    }

    @Test func `over plain http no content goes without its hash`() async throws {
        let transport = ScriptedTransport(Self.answer(200))
        let far = try store(transport, endpoint: "http://objects.example")
        #expect(await failure { try await far.put(key, once) }?.code == .invalidConfiguration)
        #expect(transport.requests.isEmpty)
        try await far.put(key, .bytes([1]))
        #expect(transport.requests.first?.headers["x-amz-content-sha256"]?.count == 64)
    }

    @Test func `plain http to another machine is refused`() async throws {
        let store = try S3ObjectStore(
            S3Configuration("s3://sounds?endpoint=http://objects.example"), credentials: .fixed(Self.credentials))
        let error = await failure { _ = try await store.head(key) }
        #expect(error?.code == .invalidConfiguration && error?.message.contains("https") == true)
    }

    @Test func `the store's clock is learned once from a refusal`() async throws {
        let date = try #require(HTTPDate(Self.time.addingTimeInterval(7_200))).description
        let transport = ScriptedTransport(
            [Self.answer(403, "RequestTimeTooSkewed", headers: ["Date": date])],
            fallback: Self.answer(200, headers: ["Date": date]))
        let store = try store(transport)
        try await store.put(key, .bytes([1]))
        try await store.put(key, .bytes([2]))
        let stamps = transport.requests.map { $0.headers["x-amz-date"] ?? "" }
        #expect(stamps == ["20270115T080000Z", "20270115T100000Z", "20270115T100000Z"])
    }

    @Test func `a clock that cannot be made right is an error`() async throws {
        let date = try #require(HTTPDate(Self.time)).description
        let transport = ScriptedTransport(Self.answer(403, "RequestTimeTooSkewed", headers: ["Date": date]))
        #expect(await failure { try await store(transport).put(key, .bytes([1])) }?.code == .clockSkew)
        #expect(transport.requests.count == 1)
    }

    @Test func `credentials are replaced while the program runs`() async throws {
        let made = Guarded(0)
        let source = S3CredentialSource {
            let number = made.withLock { made in
                made += 1
                return made
            }
            return S3Credentials(accessKey: "KEY\(number)", secretKey: "s", sessionToken: "t")
        }
        let transport = ScriptedTransport([Self.answer(400, "ExpiredToken")], fallback: Self.answer(200))
        let store = try store(transport, credentials: source)
        for _ in 0..<3 { try await store.put(key, .bytes([1])) }
        let used = transport.requests.map { $0.headers["Authorization"]?.contains("=KEY2/") ?? false }
        #expect(used == [false, true, true, true])
        #expect(transport.requests.last?.headers["x-amz-security-token"] == "t")
    }

    @Test func `expired credentials without others are an error`() async throws {
        let transport = ScriptedTransport(Self.answer(400, "ExpiredToken"))
        #expect(await failure { try await store(transport).put(key, .bytes([1])) }?.code == .credentialsExpired)
        #expect(transport.requests.count == 1)
    }

    @Test(
        arguments: [
            (404, "NoSuchKey", "notFound"), (404, "NoSuchBucket", "noSuchBucket"), (403, "AccessDenied", "denied"),
            (403, "SignatureDoesNotMatch", "denied"), (400, "EntityTooLarge", "tooLarge"),
            (400, "XAmzContentSHA256Mismatch", "damaged"), (403, "QuotaExceeded", "full"), (507, nil, "full"),
            (301, "PermanentRedirect", "invalidConfiguration"), (416, "InvalidRange", "outOfRange"),
            (400, "KeyTooLongError", "invalidKey"), (418, nil, "invalidAnswer"), (404, nil, "notFound"),
        ] as [(Int, String?, String)])
    func `each refusal has its error`(status: Int, code: String?, wanted: String) async throws {
        let transport = ScriptedTransport(Self.answer(status, code, headers: ["x-amz-bucket-region": "eu-west-3"]))
        let error = try #require(await failure { try await store(transport).put(key, .bytes([1])) })
        #expect(error.code.rawValue == wanted)
        for text in ["\(error)", error.message, String(reflecting: error)] {
            #expect(!text.contains(Self.secret) && !text.contains("Signature="))
        }
        if status == 301 { #expect(error.message.contains("eu-west-3")) }
        if code == "AccessDenied" {
            #expect(error.message.contains("sounds") && error.message.contains("s3:PutObject"))
        }
    }

    @Test func `a completion may fail after its status`() async throws {
        let upload = ObjectUpload(key: key, id: "u&1")
        let parts = [ObjectPart(number: 1, tag: "\"a<b\"")]
        let transport = ScriptedTransport([
            Self.answer(200, "InternalError"), Self.answer(200, body: "\n  <CompleteMultipartUploadResult/>"),
        ])
        let store = try store(transport)
        #expect(await failure { try await store.complete(upload, parts) }?.code == .busy)
        try await store.complete(upload, parts)
        #expect(transport.requests.first?.url.absoluteString.hasSuffix("/ada/1?uploadId=u%261") == true)
    }

    @Test func `a body that breaks off is continued`() async throws {
        let content = Array("0123456789".utf8)
        let headers: HTTPHeaders = [
            "ETag": "\"x\"", "Last-Modified": "Fri, 24 May 2013 00:00:00 GMT", "Content-Length": "10",
        ]
        let transport = ScriptedTransport([
            Self.torn(content[..<4], headers),
            { request in
                var headers = headers
                headers["Content-Range"] = "bytes 4-9/10"
                return HTTPResponse(
                    status: 206, headers: headers, url: request.url, body: HTTPResponseBody(Array(content[4...])))
            },
        ])
        #expect(try await store(transport).get(key).bytes() == content)
        #expect(transport.requests.last?.headers["Range"] == "bytes=4-9")
        #expect(transport.requests.last?.headers["If-Match"] == "\"x\"")
    }

    @Test func `an object that is replaced meanwhile is never mixed`() async throws {
        let headers: HTTPHeaders = [
            "ETag": "\"x\"", "Last-Modified": "Fri, 24 May 2013 00:00:00 GMT", "Content-Length": "10",
        ]
        let transport = ScriptedTransport([
            Self.torn([1, 2], headers),
            Self.answer(412, "PreconditionFailed"),
        ])
        #expect(await failure { _ = try await store(transport).get(key).bytes() }?.code == .busy)
    }

    @Test(arguments: [
        "", "<a/>", "<Error><Code>X</Code></Error>",
        "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        "<ListBucketResult><Contents><Key>%zz</Key><Size>1</Size>"
            + "<LastModified>2013-05-24T00:00:00Z</LastModified></Contents></ListBucketResult>",
    ])
    func `an invalid listing is an error`(body: String) async throws {
        let store = try store(ScriptedTransport(Self.answer(200, body: body)))
        #expect(await failure { _ = try await store.list(prefix: "", after: nil, limit: 1) }?.code == .invalidAnswer)
    }

    @Test func `a key below the bucket's prefix is the rest of the bytes`() throws {
        let address = try S3Address(S3Configuration("s3://sounds/eu"))
        #expect(address.key(of: "eu/\u{301}b").map { Array($0.text.utf8) } == Array("\u{301}b".utf8))
    }

    @Test func `a listing leaves out names that are no keys`() async throws {
        let entries = ["a/1", "a//2", ".b", "c/"].map {
            "<Contents><Key>\($0)</Key><Size>1</Size><LastModified>2013-05-24T00:00:00Z</LastModified></Contents>"
        }
        let body = "<ListBucketResult>\(entries.joined())</ListBucketResult>"
        let page = try await store(ScriptedTransport(Self.answer(200, body: body)))
            .list(prefix: "", after: nil, limit: 10)
        #expect(page.objects.map(\.key.text) == ["a/1"])
    }

    @Test func `uploads that began earlier are removed, and no later ones`() async throws {
        let uploads = [(1, "2013-05-24T00:00:00Z"), (2, "2013-05-26T00:00:00Z")].map {
            "<Upload><Key>ada/1</Key><UploadId>u\($0.0)</UploadId><Initiated>\($0.1)</Initiated></Upload>"
        }
        let body = "<ListMultipartUploadsResult>\(uploads.joined())</ListMultipartUploadsResult>"
        let transport = ScriptedTransport([Self.answer(200, body: body)], fallback: Self.answer(204))
        let time = try Date("2013-05-25T00:00:00Z", strategy: .iso8601)
        #expect(try await store(transport).removeUnfinished(before: time) == 1)
        #expect(transport.requests.dropFirst().map(\.url.query) == ["uploadId=u1"])
    }

    @Test(arguments: [(Duration.zero, 1), (.seconds(-5), 1), (.seconds(90), 90), (.seconds(Int64.max), 604_800)])
    func `an address is good for a second to seven days`(lifetime: Duration, seconds: Int) async throws {
        let url = try await store(ScriptedTransport(Self.answer(200))).presignedURL(.get, key, lifetime: lifetime)
        #expect(url?.query?.split(separator: "&").contains("X-Amz-Expires=\(seconds)") == true)
    }

    @Test func `a bucket in a host name is signed as it is asked`() async throws {
        let transport = ScriptedTransport(Self.answer(200))
        try await store(transport).put(ObjectKey("a b/ü"), .bytes([]))
        let address = transport.requests.first?.url.absoluteString
        #expect(address == "https://sounds.s3.eu-north-1.amazonaws.com/a%20b/%C3%BC")
    }
}

/// A body whose connection is lost after its first chunk.
private final class Torn: HTTPBodySource {
    let summary = HTTPTransferSummary()
    private let chunk: Guarded<[UInt8]>

    init(_ chunk: some Sequence<UInt8>) { self.chunk = Guarded(Array(chunk)) }

    func next() async throws -> [UInt8]? {
        let next = chunk.withLock { chunk in
            defer { chunk = [] }
            return chunk
        }
        if next.isEmpty { throw NetworkError(code: .connectionLost, message: "lost") }
        return next
    }
}
