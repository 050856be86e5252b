// SPDX-License-Identifier: MIT

import Domain
import Foundation
import Networking
import PracticeWire
import Testing

@testable import ParleyServer

@Suite(.timeLimit(.minutes(5))) struct RecordingTests {
    private let fixture: ServerFixture
    private let ada: Person

    init() async throws { try await self.init(in: .folder) }

    /// The same promises, with the sound elsewhere.
    init(in place: SoundPlace) async throws {
        fixture = try await ServerFixture(sounds: place)
        ada = try await fixture.signIn("ada@example.org")
    }

    private func page(_ query: String) async throws -> (ids: [String], next: String?) {
        let page: RecordingPageDTO = try decoded(await fixture.call(.get, "/recordings?" + query, as: ada))
        return (page.recordings().recordings.map(\.id.description), page.next)
    }

    private func sample(_ minute: Int) -> SoundSample {
        var sample = SoundSample(20, seed: UInt64(minute))
        sample.createdAt = "2026-01-31T12:\(minute < 10 ? "0" : "")\(minute):00.000Z"
        return sample
    }

    @Test func pagesStayRightWhileRecordingsComeAndGo() async throws {
        let samples = (10..<17).map { sample($0) }
        for sample in samples { try await fixture.upload(sample, as: ada) }
        let newestFirst: [String] = samples.map(\.id).reversed()
        var (listed, next) = try await page("limit=2")
        #expect(listed == Array(newestFirst.prefix(2)))
        // A newer one, an older one, and the last one of the page goes, which the next page begins after.
        try await fixture.upload(sample(30), as: ada)
        let older = sample(9)
        try await fixture.upload(older, as: ada)
        #expect(try await fixture.call(.delete, "/recordings/\(listed[1])", as: ada).status == 204)
        while let place = next {
            let more = try await page("limit=2&after=\(place)")
            listed += more.ids
            next = more.next
        }
        #expect(listed == newestFirst + [older.id])
        // A name is a place, too, while it is there.
        #expect(try await page("after=\(newestFirst[5])").ids == [newestFirst[6], older.id])
        #expect(try await fixture.call(.get, "/recordings?after=\(newestFirst[1])", as: ada).status == 400)
        for query in ["limit=0", "limit=201", "limit=x", "limit=", "after=x", "after="] {
            #expect(try await fixture.call(.get, "/recordings?\(query)", as: ada).status == 400, "\(query)")
        }
        await fixture.stop()
    }

    @Test func aPartOfTheSoundIsSent() async throws {
        let sample = SoundSample(100_000)
        try await fixture.upload(sample, as: ada)
        func content(_ headers: HTTPHeaders) async throws -> Answer {
            try await fixture.call(.get, "/recordings/\(sample.id)/content", as: ada, headers: headers)
        }
        for (range, bytes) in [
            ("bytes=0-0", sample.bytes[..<1]), ("bytes=70000-", sample.bytes[70_000...]),
            ("bytes=-3", sample.bytes[99_997...]), ("bytes=10-200000", sample.bytes[10...]),
            ("bytes=65535-65536", sample.bytes[65_535...65_536]),
        ] {
            let answer = try await content(["Range": range])
            #expect(answer.status == 206 && answer.body == Array(bytes), "\(range)")
            #expect(
                answer.headers["Content-Range"]
                    == "bytes \(bytes.startIndex)-\(bytes.endIndex - 1)/100000", "\(range)")
        }
        let beyond = try await content(["Range": "bytes=100000-"])
        #expect(beyond.status == 416 && beyond.headers["Content-Range"] == "bytes */100000")
        let whole = try await content([:])
        let tag = try #require(whole.headers["ETag"])
        #expect(try tag == "\"\(sample.hash)\"" && whole.headers["X-Content-Type-Options"] == "nosniff")
        #expect(try await content(["If-None-Match": "\"x\", W/\(tag)"]).status == 304)
        #expect(try await content(["Range": "bytes=0-0", "If-Range": tag]).status == 206)
        #expect(try await content(["Range": "bytes=0-0", "If-Range": "\"x\""]).body == sample.bytes)
        let head = try await fixture.call(.head, "/recordings/\(sample.id)/content", as: ada)
        #expect(head.status == 200 && head.body.isEmpty && head.headers["Content-Length"] == "100000")
        await fixture.stop()
    }

    @Test func whatIsDeletedIsGone() async throws {
        let sample = SoundSample(100)
        try await fixture.upload(sample, as: ada)
        #expect(try await fixture.call(.delete, "/recordings/\(sample.id)", as: ada).status == 204)
        for path in ["", "/content", "/evaluation", "/evaluation/events"] {
            let answer = try await fixture.call(.get, "/recordings/\(sample.id)\(path)", as: ada)
            #expect(answer.status == 404, "\(path)")
        }
        #expect(try await fixture.call(.delete, "/recordings/\(sample.id)", as: ada).status == 404)
        #expect(try fixture.soundFiles.isEmpty)
        try await fixture.upload(sample, as: ada)
        #expect(try await page("").ids == [sample.id])
        await fixture.stop()
    }

    @Test(
        arguments: [
            (nil, .all), ("bytes=0-4", .part(0...4)), ("bytes=0-5", .part(0...4)), ("bytes=2-", .part(2...4)),
            ("bytes=-2", .part(3...4)), ("bytes=-9", .part(0...4)), ("Bytes=1-1", .part(1...1)),
            ("bytes=5-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=0-99999999999999999999", .part(0...4)), ("bytes=3-2", .all), ("bytes=-", .all), ("bytes=", .all),
            ("bytes=0-1,3-4", .all), ("bytes=a-b", .all), ("bytes= 0-1", .all), ("items=0-1", .all), ("", .all),
        ] as [(String?, ByteRange)])
    func aRangeIsReadAsItIsMeant(_ field: String?, _ range: ByteRange) {
        #expect(ByteRange(field, of: 5) == range)
    }
}
