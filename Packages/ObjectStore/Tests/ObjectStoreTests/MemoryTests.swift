// SPDX-License-Identifier: MIT

import ObjectStore
import ObjectStoreTestSupport
import Security
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MemoryTests {
    /// Runs the probe with an object of 200 MB, and returns its peak of memory in MB.
    private func peak(_ arguments: [String]) async throws -> Int {
        let probe = try ChildProcess(
            ChildProcess.path(besideTests: "ObjectStoreProbeTestSupport"), arguments + ["200"])
        let result = await probe.finished()
        #expect(result.code == 0)
        let kibibytes = try #require(Int(result.output.filter(\.isNumber)))
        return kibibytes / 1_024
    }

    @Test func `a folder takes a large object in little memory`() async throws {
        let folder = try TemporaryFolder()
        let peak = try await peak(["folder", folder.file("objects")])
        #expect((5..<80).contains(peak))
    }

    @Test(.enabled(if: MotoServer.isInstalled, "needs moto: run Scripts/test-peers"))
    func `S3 takes a large object in little memory`() async throws {
        let moto = try SharedMoto.server.get()
        let secret = moto.owner.secretKey.withExposed { String(decoding: $0, as: UTF8.self) }
        let peak = try await peak([
            "s3", "s3://\(MotoServer.bucket)?endpoint=\(moto.endpoint)", moto.owner.accessKey, secret,
        ])
        #expect((5..<80).contains(peak))
    }
}
