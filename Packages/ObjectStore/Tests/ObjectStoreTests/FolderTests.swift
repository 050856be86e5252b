// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import ObjectStore

struct FolderTests {
    private let folder: TemporaryFolder
    private let store: FolderObjectStore
    private let key: ObjectKey

    init() throws {
        folder = try TemporaryFolder()
        store = try FolderObjectStore(folder.file("objects"))
        key = try ObjectKey("ada/1")
    }

    private func code(_ body: () async throws -> Void) async -> ObjectStoreError.Code? {
        do { try await body() } catch { return (error as? ObjectStoreError)?.code }
        return nil
    }

    @Test func `an object is one file that its owner alone can read`() async throws {
        try await store.put(key, .bytes([1, 2]))
        #expect(try folder.bytes("objects/ada/1") == [1, 2])
        #expect(try folder.mode("objects/ada/1") == 0o600 && folder.mode("objects/ada") == 0o700)
        #expect(try folder.mode("objects") == 0o700 && folder.mode("objects/.pending") == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("objects/.pending")).isEmpty)
    }

    @Test(arguments: ["file", "file/below", "dangling"])
    func `a path that is no folder is refused`(name: String) throws {
        try folder.write("x", to: "file")
        symlink("missing", folder.file("dangling"))
        let error = #expect(throws: ObjectStoreError.self) { _ = try FolderObjectStore(folder.file(name)) }
        #expect(error?.code == .invalidConfiguration && error?.message.contains("is not a folder") == true)
    }

    @Test func `a cancelled put leaves nothing`() async throws {
        let chunks = Guarded([[1], [2]] as [[UInt8]])
        let content = ObjectContent(
            AsyncStream(unfolding: {
                let chunk = chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if chunk == [2] { cancelCurrentTask() }
                return chunk
            }), length: 2)
        let put = Task { [store, key] in try await store.put(key, content) }
        await #expect(throws: CancellationError.self) { try await put.value }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("objects/.pending")).isEmpty)
        #expect(await code { _ = try await store.head(key) } == .notFound)
    }

    @Test func `the last object takes its folders with it`() async throws {
        try await store.put(ObjectKey("a/b/c"), .bytes([1]))
        try await store.put(ObjectKey("a/d"), .bytes([1]))
        try await store.delete(ObjectKey("a/b/c"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("objects/a")) == ["d"])
        try await store.delete(ObjectKey("a/d"))
        #expect(access(folder.file("objects/a"), F_OK) != 0 && access(folder.file("objects"), F_OK) == 0)
    }

    @Test func `a folder that was removed meanwhile is made again`() throws {
        let outer = try FolderHandle(folder.file("objects"))
        let inner = try #require(try outer.folder("ada", makes: true))
        #expect(try outer.removeFolder("ada"))
        #expect(try inner.folder("recordings", makes: true) == nil)
        #expect(try inner.folder("recordings") == nil)
        #expect(try outer.folder("ada", makes: true)?.folder("recordings", makes: true) != nil)
    }

    @Test func `no link leads out of the folder`() async throws {
        try folder.write("secret", to: "outside")
        mkdir(folder.file("objects/ada"), 0o700)
        symlink(folder.file("outside"), folder.file("objects/ada/1"))
        symlink(folder.path, folder.file("objects/out"))
        #expect(await code { _ = try await store.get(key) } == .denied)
        #expect(await code { _ = try await store.head(key) } == .denied)
        #expect(await code { _ = try await store.get(ObjectKey("out/outside")) } == .denied)
        #expect(await code { try await store.put(ObjectKey("out/new"), .bytes([1])) } == .denied)
        #expect(await code { try await store.delete(ObjectKey("out/outside")) } == .denied)
        for try await object in store.objects(prefix: "") { Issue.record("saw \(object)") }
        // A link in the place of an object is replaced, and what it led to stays.
        try await store.put(key, .bytes([1]))
        #expect(try folder.bytes("outside") == Array("secret".utf8))
        #expect(try await store.get(key).bytes() == [1])
        #expect(try folder.names() == ["objects", "outside"])
    }

    @Test func `a pipe in the place of an object blocks nobody`() async throws {
        mkdir(folder.file("objects/ada"), 0o700)
        mkfifo(folder.file("objects/ada/1"), 0o600)
        #expect(await code { _ = try await store.get(key) } == .denied)
    }

    @Test func `a pipe is no content`() async throws {
        mkfifo(folder.file("pipe"), 0o600)
        #expect(await code { _ = try await ObjectContent.file(folder.file("pipe")) } == .file)
    }

    @Test func `a key that is the folder of another is refused`() async throws {
        try await store.put(key, .bytes([1]))
        #expect(await code { try await store.put(ObjectKey("ada"), .bytes([2])) } == .invalidKey)
        #expect(await code { try await store.put(ObjectKey("ada/1/x"), .bytes([2])) } == .invalidKey)
        #expect(await code { _ = try await store.get(ObjectKey("ada")) } == .notFound)
        #expect(try await store.get(key).bytes() == [1])
    }

    @Test func `what a crash leaves is no object and is removed by its age`() async throws {
        try await store.put(key, .bytes([1]))
        try folder.write("half", to: "objects/.pending/77.put")
        var names: [ObjectKey] = []
        for try await object in store.objects(prefix: "") { names.append(object.key) }
        #expect(names == [key])
        #expect(try await store.removeUnfinished(before: Date(timeIntervalSince1970: 0)) == 0)
        #expect(access(folder.file("objects/.pending/77.put"), F_OK) == 0)
        #expect(try await store.removeUnfinished(before: .distantFuture) == 0)
        #expect(access(folder.file("objects/.pending/77.put"), F_OK) != 0)
    }

    @Test func `a listing leaves out names that are no keys`() async throws {
        try await store.put(key, .bytes([1]))
        for name in [".a", "a\nb", "ada/.b"] { try folder.write("x", to: "objects/" + name) }
        var names: [String] = []
        for try await object in store.objects(prefix: "") { names.append(object.key.text) }
        #expect(names == ["ada/1"])
    }

    @Test func `an upload's age is that of its beginning`() async throws {
        let upload = try await store.beginParts(of: key)
        var times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 1_000, tv_nsec: 0)]
        try #require(utimensat(AT_FDCWD, folder.file("objects/.pending/\(upload.id)/key"), &times, 0) == 0)
        _ = try await store.putPart(1, .bytes([1]), of: upload)
        #expect(try await store.removeUnfinished(before: Date(timeIntervalSince1970: 999)) == 0)
        #expect(try await store.removeUnfinished(before: Date(timeIntervalSince1970: 1_001)) == 1)
    }

    @Test func `a completion that is cancelled at its end is one`() async throws {
        let upload = try await store.beginParts(of: key)
        let part = try await store.putPart(1, .bytes([1, 2]), of: upload)
        let work = Task { [store] in try await store.complete(upload, [part], placed: cancelCurrentTask) }
        await #expect(throws: Never.self) { try await work.value }
        #expect(try await store.get(key).bytes() == [1, 2])
        #expect(try await store.removeUnfinished(before: .distantFuture) == 0)
    }

    @Test func `an id of an upload is no path`() async throws {
        try folder.write("x", to: "outside")
        for id in ["..", "../..", "", ".", "a/../..", "0123"] {
            let upload = ObjectUpload(key: key, id: id)
            #expect(await code { _ = try await store.putPart(1, .bytes([1]), of: upload) } == .noSuchUpload)
            await #expect(throws: Never.self) { try await store.discard(upload) }
        }
        #expect(try folder.names() == ["objects", "outside"])
    }

    @Test func `a folder that vanishes is an error and not an empty store`() async throws {
        rmdir(folder.file("objects/.pending"))
        rmdir(folder.file("objects"))
        #expect(await code { _ = try await store.list(prefix: "", after: nil, limit: 1) } == .noSuchBucket)
        #expect(await code { try await store.put(key, .bytes([1])) } == .noSuchBucket)
        #expect(await code { try await store.check() } == .noSuchBucket)
        #expect(access(folder.file("objects"), F_OK) != 0)
    }
}
