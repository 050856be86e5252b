// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

@testable import ParleyServer

/// Uploads that begin at one instance and end at another.
@Suite(.timeLimit(.minutes(5))) struct SharedUploadTests {
    @Test func `each instance removes what is left of uploads on its disk`() async throws {
        let place = try TemporaryFolder()
        let bucket = try SoundPlace.bucket.objects(of: place)
        let instances = try await Instances(2) { _, options in options.objects = bucket }
        let ada = try await instances[0].signIn("ada@example.org")
        let (finished, deleted, open) = (SoundSample(900), SoundSample(800, seed: 2), SoundSample(700, seed: 3))
        for sample in [finished, deleted, open] {
            #expect(try await instances[1].create(sample, as: ada).status == 201)
            #expect(try await instances[1].patch(sample.id, sample.bytes.prefix(300), at: 0, as: ada).status == 204)
        }
        // The other instance has none of it, and the client begins again there.
        let told = try await instances[0].head(finished.id, as: ada)
        #expect(told.headers["Upload-Offset"] == "0")
        #expect(try await instances[0].patch(finished.id, finished.bytes, at: 0, as: ada).status == 204)
        #expect(try await instances[0].terminate(deleted.id, as: ada) == 204)

        func names() throws -> Set<String> {
            Set(try instances[1].soundFiles.map { $0.split(separator: "/").last.map(String.init) ?? "" })
        }
        #expect(try names() == [finished.id, deleted.id, open.id])
        try await instances[1].server.maintainOwn()
        #expect(try names().count == 3, "they are younger than a day")
        for name in try instances[1].soundFiles {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 0)],
                ofItemAtPath: instances[1].home.path + "/recordings/" + name)
        }
        try await instances[0].server.maintain()
        try await instances[0].server.maintainOwn()
        #expect(try names().count == 3, "no other instance reaches them")
        try await instances[1].server.maintainOwn()
        #expect(try names() == [open.id], "an upload with a row goes on")
        let content = try await instances[1].call(.get, "/recordings/\(finished.id)/content", as: ada)
        #expect(content.body == finished.bytes)
        await instances.stop()
    }
}
