// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import Glibc
import TestKit
import Testing

@testable import parley

@Suite("Telling other programs what happens", .timeLimit(.minutes(5))) struct LivePublisherTests {
    private let folder: TemporaryFolder
    private let publisher: LivePublisher

    init() throws {
        folder = try TemporaryFolder()
        publisher = try LivePublisher("listen", in: folder.path)
    }

    private func reading(_ body: (AsyncStream<[UInt8]>.Iterator, SocketStream) async throws -> Void) async throws {
        let path = try #require(OwnSocket.paths(in: folder.path).first)
        let loop = try SocketLoop(name: "test")
        let descriptor = try #require(try OwnSocket.connect(to: path))
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let stream = SocketStream(descriptor, loop: loop)
        try await body(stream.lines(limit: 1 << 20).makeAsyncIterator(), stream)
        stream.close()
        loop.close()
    }

    private func running(_ body: () async throws -> Void) async throws {
        let run = Task { [publisher] in try? await publisher.run() }
        try await body()
        run.cancel()
        await run.value
    }

    @Test func `a reader gets the present state, then what happens`() async throws {
        publisher.note(state: "speaking", isMuted: true)
        try await running {
            try await reading { lines, _ in
                var lines = lines
                let hello = String(decoding: try #require(await lines.next()), as: UTF8.self)
                #expect(hello.contains(#""event":"hello""#) && hello.contains(#""state":"speaking""#))
                #expect(hello.contains(#""isMuted":true"#) && hello.contains(#""pid":\#(getpid())"#))
                publisher.send(#"{"event":"wakeWord"}"#)
                #expect(
                    await lines.next().map { String(decoding: $0, as: UTF8.self) }
                        == #"{"from":"listen","pid":\#(getpid()),"event":"wakeWord"}"#)
            }
        }
    }

    @Test func `a reader's controls arrive, and nonsense does nothing`() async throws {
        try await running {
            try await reading { _, stream in
                let text = "nonsense\n{\"do\":\"fly\"}\n{\"do\":\"mute\"}\n"
                try await stream.write(Array(text.utf8))
                var controls = publisher.controls.makeAsyncIterator()
                #expect(await controls.next() == .mute)
            }
        }
    }

    @Test func `a reader that does not read is cut off, and loses levels before`() async throws {
        try await running {
            try await reading { lines, _ in
                var lines = lines
                _ = await lines.next()
                let text = #"{"event":"\#(String(repeating: "x", count: 10_000))"}"#
                for _ in 0..<2_000 { publisher.send(text, isPassing: true) }
                for _ in 0..<2_000 { publisher.send(text) }
                var count = 0
                while await lines.next() != nil { count += 1 }
                #expect(count < 2_000)
            }
        }
    }

    @Test func `the socket is this person's alone, and goes with the program`() async throws {
        let path = try #require(OwnSocket.paths(in: folder.path).first)
        var information = stat()
        #expect(lstat(path, &information) == 0 && information.st_mode & 0o777 == 0o600)
        try await running {}
        #expect(AppPaths.isMissing(path))
    }

    @Test func `a turn that begins with a key is told as a room's`() async throws {
        let room = LiveRoom(publisher, wakeWord: "")
        try await running {
            try await reading { lines, _ in
                var lines = lines
                _ = await lines.next()
                let events: [TurnEvent] = [
                    .reached(.listening, at: .now), .level(-41.5), .draft("what is"),
                    .transcript(Transcript(text: "what is", confidence: 1)), .reached(.firstSampleAudible, at: .now),
                ]
                for event in events { await room.show(event, of: TurnID()) }
                let expected = [
                    #""state":"listening""#, #""event":"level""#, #""text":"what is""#, #""event":"transcript""#,
                    #""state":"thinking""#, #""state":"speaking""#,
                ]
                for text in expected {
                    let line = await lines.next().map { String(decoding: $0, as: UTF8.self) }
                    #expect(line?.contains(text) == true, "\(line ?? "the end")")
                }
            }
        }
    }

    @Test func `what a room does is told as --json tells it, with levels and words`() async throws {
        let room = LiveRoom(publisher, wakeWord: "hey jarvis")
        let turn = TurnID()
        try await running {
            try await reading { lines, _ in
                var lines = lines
                _ = await lines.next()
                let events: [RoomEvent] = [
                    .level(-41.5), .phase(.listening), .turn(turn, .draft("what is")), .muted(true),
                    .turn(turn, .answering(.delta("Aus"))),
                ]
                for event in events { await room.show(event) }
                var found: [String] = []
                while found.count < events.count, let line = await lines.next() {
                    found.append(String(decoding: line.drop { $0 != UInt8(ascii: ",") }.dropFirst(), as: UTF8.self))
                }
                let texts = found.joined(separator: "\n")
                #expect(texts.contains(#""event":"level""#) && texts.contains("-41.5"))
                #expect(texts.contains(#""state":"listening""#) && texts.contains(#""text":"what is""#))
                #expect(texts.contains(#""isMuted":true"#) && texts.contains(#""text":"Aus""#))
            }
        }
    }
}
