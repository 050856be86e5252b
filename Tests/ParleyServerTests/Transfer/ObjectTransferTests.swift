// SPDX-License-Identifier: MIT

import Foundation
import Networking
import ObjectStore
import ObjectStoreTestSupport
import Security
import TestKit
import Testing

@testable import ParleyServer

/// The sound of a home, moved into a bucket and back.
@Suite(
    .enabled(if: MotoServer.isInstalled, "needs moto: run Scripts/test-peers"), .timeLimit(.minutes(5)))
struct ObjectTransferTests {
    private let home: TemporaryFolder
    private let bucket: ObjectTransfer.Place
    private let url: String
    private let environment: [String: String]

    init() throws {
        home = try TemporaryFolder()
        let moto = try SoundPlace.moto.get()
        let configuration = try SoundPlace.configuration(of: home)
        bucket = .bucket(configuration, .fixed(moto.owner))
        url = "s3://\(configuration.bucket)/\(configuration.prefix?.text ?? "")?endpoint=\(configuration.endpoint)"
        let secret = moto.owner.secretKey.withExposed { String(decoding: $0, as: UTF8.self) }
        environment = ["AWS_ACCESS_KEY_ID": moto.owner.accessKey, "AWS_SECRET_ACCESS_KEY": secret]
    }

    private func run(_ words: String...) throws -> ChildProcess.Result {
        try ServerProcess.run(["transfer"] + words, environment: environment)
    }

    @Test func `sound moves into a bucket and back`() async throws {
        let fixture = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        let ada = try await fixture.signIn("ada@example.org")
        let samples = [1, 70_000, 6 << 20].map { SoundSample($0, seed: UInt64($0)) }
        for sample in samples { try await fixture.upload(sample, as: ada) }
        let used = try run("--objects-from", "folder:\(home.path)", "--objects-to", url)
        #expect(used.code == 6 && used.errors.contains("Another parley-server uses \(home.path)"))
        await fixture.stop()

        let bytes = samples.reduce(0) { $0 + $1.bytes.count }
        let dry = try run("--objects-from", "folder:\(home.path)", "--objects-to", url, "--dry-run")
        #expect(dry.output == "3 objects, \(bytes) bytes, 0 of them copied earlier, to copy\n")
        #expect(try await SoundPlace.keys(of: home).isEmpty)
        let there = try run("--objects-from", "folder:\(home.path)", "--objects-to", url)
        #expect(there.code == 0, "\(there.errors)")
        #expect(
            there.output.hasSuffix(
                "3 objects, \(bytes) bytes, 0 of them copied earlier, are the same on both sides\n"))
        #expect(try await SoundPlace.keys(of: home) == Set(samples.map { "\(ada.account)/\($0.id)" }))

        // The same rows serve the sound of the bucket, and that of a home that got it back.
        let objects = try SoundPlace.bucket.objects(of: home)
        let next = try await ServerFixture(home: home) {
            ($0.publicAddress, $0.objects) = ("http://127.0.0.1:1", objects)
        }
        for sample in samples {
            #expect(try await next.call(.get, "/recordings/\(sample.id)/content", as: ada).body == sample.bytes)
        }
        await next.stop()
        let other = try TemporaryFolder()
        let back = try run("--objects-from", url, "--objects-to", "folder:\(other.path)")
        #expect(back.code == 0, "\(back.errors)")
        for sample in samples {
            let path = "\(other.path)/recordings/\(ada.account)/\(sample.id)"
            #expect(Array(try Data(contentsOf: URL(filePath: path))) == sample.bytes)
        }
    }

    @Test func `a transfer that breaks goes on and other bytes are replaced`() async throws {
        let folder = try FolderObjectStore(home.path + "/recordings")
        for number in 0..<40 {
            try await folder.put(ObjectKey("ada/\(number)"), .bytes(Array(repeating: UInt8(number), count: 1_000)))
        }
        let transfer = ObjectTransfer(from: .home(home.path), to: bucket)
        let broken = Task {
            try await transfer.run { step in
                if case .copied(let count) = step, count >= 10 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: (any Error).self) { try await broken.value }
        let copied = try await SoundPlace.keys(of: home).count
        #expect(copied >= 10 && copied < 40)
        // As long as the right one.
        let there = try SoundPlace.bucket(of: home)
        try await there.put(ObjectKey("ada/7"), .bytes(Array(repeating: 255, count: 1_000)))
        let report = try await transfer.run()
        #expect(report.objects == 40 && report.bytes == 40_000 && report.earlier >= copied && report.earlier < 40)
        #expect(try await there.get(ObjectKey("ada/7")).bytes() == Array(repeating: 7, count: 1_000))
    }

    @Test func `places that cannot be are refused`() throws {
        for words in [
            ["--objects-from", url], ["--objects-to", url], ["--objects-from", url, "--objects-to", url],
            ["--objects-from", "sqlite:/x", "--objects-to", url], ["--objects-from", "folder:", "--objects-to", url],
            [],
        ] {
            let refused = try ServerProcess.run(["transfer"] + words, environment: environment)
            #expect(refused.code == 2, "\(words): \(refused.errors)")
        }
        let keyless = try ServerProcess.run(["transfer", "--objects-from", url, "--objects-to", "folder:/x"])
        #expect(keyless.code == 2 && keyless.errors.contains("AWS_ACCESS_KEY_ID"), "\(keyless.errors)")
    }
}
