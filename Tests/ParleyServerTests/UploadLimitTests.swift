// SPDX-License-Identifier: MIT

import AuthServerTestSupport
import Foundation
import Networking
import TestKit
import Testing

@testable import ParleyServer

@Suite(.timeLimit(.minutes(5))) struct UploadLimitTests {
    @Test func quotaSizeAndCountAreKept() async throws {
        let fixture = try await ServerFixture { options in
            options.uploads.maximumBytes = 1_000
            options.uploads.quotaBytes = 2_500
            options.uploads.maximumCount = 4
        }
        let ada = try await fixture.signIn("ada@example.org")
        #expect(try await fixture.create(SoundSample(1_001), as: ada).status == 413)
        #expect(try await fixture.create(SoundSample(5), as: ada, length: "1001").status == 413)
        try await fixture.upload(SoundSample(1_000), as: ada)
        // Announced bytes count before they are here.
        let second = SoundSample(1_000, seed: 2)
        #expect(try await fixture.create(second, as: ada).status == 201)
        let full = try await fixture.create(SoundSample(501), as: ada)
        #expect(full.status == 413 && text(full).contains("room for 500 bytes"))
        #expect(text(full).contains(#""error_code":"limit_reached""#))
        #expect(try await fixture.terminate(second.id, as: ada) == 204)
        for seed in 3...5 { try await fixture.upload(SoundSample(10, seed: UInt64(seed)), as: ada) }
        #expect(try await fixture.create(SoundSample(10), as: ada).status == 413)
        // Another account's quota is its own.
        let bob = try await fixture.signIn("bob@example.org")
        try await fixture.upload(SoundSample(1_000), as: bob)
        await fixture.stop()
    }

    @Test func anUploadThatRestsTooLongIsThrownAway() async throws {
        let fixture = try await ServerFixture { $0.uploads.lifetime = .seconds(60) }
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(1_000)
        _ = try await fixture.create(sample, as: ada)
        fixture.clock.advance(by: .seconds(50))
        _ = try await fixture.patch(sample.id, sample.bytes[..<10], at: 0, as: ada)
        fixture.clock.advance(by: .seconds(50))
        #expect(try await fixture.head(sample.id, as: ada).headers["Upload-Offset"] == "10")
        fixture.clock.advance(by: .seconds(61))
        #expect(try await fixture.head(sample.id, as: ada).status == 404)
        #expect(try await fixture.patch(sample.id, sample.bytes[10...], at: 10, as: ada).status == 404)
        try await fixture.server.maintain()
        #expect(try fixture.soundFiles.isEmpty)
        await fixture.stop()
    }

    @Test(arguments: [
        nil, "", "id", "id ", "id !!!!", "id AAAA BBBB", ",", "id MQ==,id MQ==", "id /w==", "id AA==\u{09}",
        String(repeating: "k AAAA,", count: 200),
    ])
    func metadataThatIsNoMetadataIsRefused(_ metadata: String?) async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        var headers = ServerFixture.tus
        headers["Upload-Length"] = "10"
        if let metadata { headers["Upload-Metadata"] = metadata }
        let answer = try await fixture.call(.post, "/uploads", as: ada, headers: headers)
        #expect([400, 422].contains(answer.status), "\(answer.status)")
        #expect(try fixture.soundFiles.isEmpty)
        await fixture.stop()
    }

    @Test func hostileValuesAreRefusedAndNeverBecomePaths() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let before = try Set(FileManager.default.subpathsOfDirectory(atPath: fixture.home.path))
        let id = UUID().uuidString
        let changes: [[String: String?]] = [
            ["id": nil], ["id": ""], ["id": "../../../etc/passwd"], ["id": "../\(id)"], ["id": "\(id)/../x"],
            ["id": "\(id)\u{0}"], ["id": "\(id)\n"], ["id": "{\(id)}"], ["cue": "'; DROP TABLE recording; --"],
            ["created_at": "yesterday"], ["created_at": "2026-13-01T00:00:00Z"], ["created_at": nil],
            ["duration": "nan"], ["duration": "inf"], ["duration": "-1"], ["duration": "1e9"], ["duration": ""],
            ["format": "exe"], ["format": "flac\u{0}"], ["format": nil], ["sample_rate": "0"],
            ["sample_rate": "16000.5"], ["sample_rate": "99999999999999999999"], ["sha256": "abc"],
            ["sha256": String(repeating: "g", count: 64)], ["sha256": nil],
        ]
        for change in changes {
            let answer = try await fixture.create(SoundSample(10), as: ada, changing: change)
            #expect(answer.status == 422, "\(change): \(answer.status)")
        }
        for length in ["-1", "1.5", "0x10", "", "ten", "99999999999999999999"] {
            #expect(try await fixture.create(SoundSample(10), as: ada, length: length).status == 400, "\(length)")
        }
        #expect(try await fixture.create(SoundSample(10), as: ada, length: "0").status == 422)
        for path in ["/uploads/..%2f..%2fserver.sqlite", "/uploads/%2e%2e", "/uploads/server.sqlite", "/uploads/%00"] {
            let answer = try await fixture.call(.head, path, as: ada, headers: ServerFixture.tus)
            #expect([400, 404].contains(answer.status), "\(path): \(answer.status)")
        }
        #expect(try Set(FileManager.default.subpathsOfDirectory(atPath: fixture.home.path)) == before)
        await fixture.stop()
    }
}
