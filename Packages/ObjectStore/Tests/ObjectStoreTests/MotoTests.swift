// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking
import NetworkingTestSupport
import ObjectStore
import ObjectStoreTestSupport
import Testing

/// The answers of a real server to wrong credentials and missing rights.
@Suite(.enabled(if: MotoServer.isInstalled, "needs moto: run Scripts/test-peers"), .timeLimit(.minutes(5)))
struct MotoTests {
    private let key: ObjectKey

    init() throws { key = try ObjectKey("ada/\(UInt64.random(in: 0 ... .max))") }

    private func failure(_ body: () async throws -> Void) async -> ObjectStoreError? {
        do { try await body() } catch { return error as? ObjectStoreError }
        return nil
    }

    private func store(_ credentials: S3Credentials) throws -> S3ObjectStore {
        try S3ObjectStore(SharedMoto.server.get().configuration(), credentials: .fixed(credentials))
    }

    @Test func `a wrong secret is refused`() async throws {
        let owner = try SharedMoto.server.get().owner
        let wrong = try store(S3Credentials(accessKey: owner.accessKey, secretKey: "wrong"))
        #expect(await failure { try await wrong.put(key, .bytes([1])) }?.code == .denied)
        #expect(await failure { _ = try await wrong.get(key) }?.code == .denied)
        #expect(await failure { _ = try await wrong.head(key) }?.code == .denied)
        #expect(await failure { _ = try await wrong.list(prefix: "", after: nil, limit: 1) }?.code == .denied)
        #expect(await failure { try await wrong.delete(key) }?.code == .denied)
        #expect(await failure { try await wrong.check() }?.code == .denied)
        #expect(await failure { _ = try await store(owner).get(key) }?.code == .notFound)
    }

    @Test func `an unknown access key is refused`() async throws {
        let unknown = try store(S3Credentials(accessKey: "AKIAUNKNOWN", secretKey: "s"))
        #expect(await failure { try await unknown.put(key, .bytes([1])) }?.code == .denied)
    }

    @Test func `a missing right is named with its bucket`() async throws {
        let moto = try SharedMoto.server.get()
        let stranger = await failure { try await store(moto.stranger).check() }
        #expect(stranger?.code == .denied)
        #expect(stranger?.message.contains(MotoServer.bucket) == true)
        #expect(stranger?.message.contains("s3:ListBucket") == true)
        let reader = await failure { try await store(moto.reader).check() }
        #expect(reader?.code == .denied && reader?.message.contains("s3:PutObject") == true)
    }

    @Test func `a missing right over uploads in parts is named`() async throws {
        let moto = try SharedMoto.server.get()
        func store(_ credentials: S3Credentials) throws -> S3ObjectStore {
            try S3ObjectStore(moto.configuration(prefix: "rights"), credentials: .fixed(credentials))
        }
        let writer = await failure { try await store(moto.writer).check() }
        #expect(writer?.code == .denied && writer?.message.contains("s3:ListBucketMultipartUploads") == true)
        let lister = await failure { try await store(moto.lister).check() }
        #expect(lister?.code == .denied && lister?.message.contains("s3:AbortMultipartUpload") == true)
        let owner = try store(moto.owner)
        #expect(try await owner.removeUnfinished(prefix: "check-", before: .distantFuture) == 1)
        try await owner.check()
        #expect(try await owner.removeUnfinished(prefix: "check-", before: .distantFuture) == 0, "it leaves nothing")
    }

    @Test func `a bucket that does not exist is named`() async throws {
        let moto = try SharedMoto.server.get()
        let configuration = try S3Configuration(bucket: "missing", endpoint: moto.endpoint)
        let store = try S3ObjectStore(configuration, credentials: .fixed(moto.owner))
        let error = await failure { try await store.check() }
        #expect(error?.code == .noSuchBucket && error?.message.contains("missing") == true)
    }

    @Test func `a prefix keeps two users of one bucket apart`() async throws {
        let moto = try SharedMoto.server.get()
        let (one, two) = (try moto.store(prefix: "one+/x"), try moto.store(prefix: "one+/y"))
        try await one.put(key, .bytes([1]))
        #expect(await failure { _ = try await two.get(key) }?.code == .notFound)
        for try await object in two.objects(prefix: "") { Issue.record("saw \(object)") }
        var seen: [ObjectKey] = []
        for try await object in one.objects(prefix: "ada") { seen.append(object.key) }
        #expect(seen == [key])
    }

    @Test func `a presigned address writes and reads one object`() async throws {
        let moto = try SharedMoto.open.get()
        let store = try moto.store()
        let name = try ObjectKey("a b+/\(UInt64.random(in: 0 ... .max))")
        let client = HTTPClient(transport: try CurlTransport(configuration: moto.configuration().connections))
        let put = try #require(try await store.presignedURL(.put, name, lifetime: .seconds(60)))
        _ = try await client.bytes(for: HTTPRequest(.put, put, body: .bytes([1, 2])))
        #expect(try await store.get(name).bytes() == [1, 2])
        let get = try #require(try await store.presignedURL(.get, name, lifetime: .seconds(60)))
        #expect(try await client.bytes(for: HTTPRequest(.get, get)) == [1, 2])
        #expect(get.absoluteString.contains("X-Amz-Expires=60&"))
    }

    @Test func `a store that cannot be reached is an error that passes`() async throws {
        let nobody = try S3Configuration("s3://bucket?endpoint=http://127.0.0.1:\(refusingPort)")
        var configuration = nobody
        configuration.retry.baseDelay = .zero
        let store = try S3ObjectStore(configuration, credentials: .fixed(SharedMoto.server.get().owner))
        let error = await failure { try await store.check() }
        #expect(error?.code == .network && error?.isTransient == true)
    }
}
