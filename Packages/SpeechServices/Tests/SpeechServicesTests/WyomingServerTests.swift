// SPDX-License-Identifier: MIT

import AudioBuffers
import Concurrency
import NetworkingTestSupport
import Speech
import SpeechEngines
import SpeechServices
import SpeechServicesTestSupport
import StructuredJSON
import TestKit
import Testing
import WyomingServer

/// Connections to Parley's own server: what breaks one does not reach the others.
@Suite(.timeLimit(.minutes(5))) struct WyomingServerTests {
    private static let sound: JSONObject = ["rate": 16_000, "width": 2, "channels": 1]
    private static let second = WyomingFrame(
        "audio-chunk", data: sound, payload: [UInt8](repeating: 0, count: 32_000))

    private static func engines(
        _ recognizer: any SpeechRecognizer = FixedRecognizer(),
        voice: @escaping @Sendable () async throws -> any SpeechSynthesizer = { ScriptedSynthesizer() },
        wakeWord: @escaping @Sendable () async throws -> any WakeWordSpotter = { LoudSpotter() }
    ) -> WyomingEngines {
        WyomingEngines(
            recognizers: [.init(id: "fixed", description: "Fixed", languages: ["en"], engine: recognizer)],
            voices: [.init(id: "scripted", description: "Scripted", languages: ["en"], make: voice)],
            wakeWords: [.init(id: "loud", phrase: "a loud noise", languages: ["en"], make: wakeWord)])
    }

    private static func pings(_ port: Int) async throws {
        let client = try await RawWyomingClient(port: port)
        try await client.send(.init("ping", data: ["text": "x"]))
        #expect(try await client.frame() == .init("pong", data: ["text": "x"]))
    }

    @Test func `describe lists the engines`() async throws {
        try await OwnWyomingServer.run(Self.engines()) { port in
            let service = try WyomingService(
                name: "own", address: "tcp://127.0.0.1:\(port)", connector: try loopbackTransport())
            let offer = try await SpeechServiceProbe.wyoming(service).result.get()
            #expect(offer.recognitionModels.map(\.id) == ["fixed"] && offer.voices.map(\.id) == ["scripted"])
            #expect(offer.streamsSynthesis && !offer.streamsTranscripts)
        }
    }

    @Test func `broken frames end their connection alone`() async throws {
        try await OwnWyomingServer.run(Self.engines()) { port in
            let other = try await RawWyomingClient(port: port)
            let broken = [
                "GET / HTTP/1.1\r\n\r\n", "\n", "{\"type\": \"x\", \"data_length\": -1}\n",
                "{\"type\": \"x\", \"payload_length\": 99999999999}\n", "{\"type\": \"x\", \"data_length\": 2}\n[]",
                String(repeating: "x", count: 70_000),
            ]
            for text in broken {
                let client = try await RawWyomingClient(port: port)
                try await client.send(Array(text.utf8))
                #expect(try await client.code() == "invalid-frame", "\(text.prefix(40))")
                #expect(try await client.frame() == nil)
            }
            // Half a frame, and nobody any more.
            let half = try await RawWyomingClient(port: port)
            try await half.send(Array("{\"type\": \"describe\", \"data_len".utf8))
            half.close()
            try await other.send(.init("no-such-event"), .init("ping"))
            #expect(try await other.code() == "unknown-type")
            #expect(try await other.frame() == .init("pong"))
        }
    }

    @Test func `a header without an end is cut off at its limit`() async throws {
        try await OwnWyomingServer.run(Self.engines()) { port in
            let client = try await RawWyomingClient(port: port)
            let megabyte = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            // The server hangs up long before the hundredth.
            await #expect(throws: (any Error).self) { for _ in 0..<100 { try await client.send(megabyte) } }
            try await Self.pings(port)
        }
    }

    @Test func `a client that reads nothing is disconnected, and holds nobody up`() async throws {
        let clock = ManualClock()
        let voice = LongSynthesizer()
        var limits = WyomingServerConfiguration.Limits()
        limits.syntheses = 1
        try await OwnWyomingServer.run(Self.engines(voice: { voice }), clock: clock, limits: limits) { port in
            let deaf = try await RawWyomingClient(port: port)
            let text = (0..<400).map { "Sentence number \($0)." }.joined(separator: " ")
            try await deaf.send(.init("synthesize", data: ["text": .string(text)]))
            try await voice.waitForFirst()
            let client = try await RawWyomingClient(port: port)
            try await client.send(.init("synthesize", data: ["text": "One."]))
            while let frame = try await client.frame(), frame.type != "audio-stop" {}
            // Writes that go on wait as long, but not twice.
            await #expect(throws: (any Error).self) {
                try await eventually("the hang-up") {
                    if clock.remaining.contains(.seconds(30)) { clock.advance(by: .seconds(30)) }
                    try await deaf.send(.init("ping"))
                    return false
                }
            }
            try await Self.pings(port)
        }
    }

    @Test func `a silent client is told and disconnected`() async throws {
        let clock = ManualClock()
        try await OwnWyomingServer.run(Self.engines(), clock: clock) { port in
            let client = try await RawWyomingClient(port: port)
            try await eventually("the wait for a request") { clock.remaining.contains(.seconds(120)) }
            clock.advance(by: .seconds(120))
            #expect(try await client.code() == "timeout")
            #expect(try await client.frame() == nil)
        }
    }

    @Test func `clients wait for one recogniser, and each gets words`() async throws {
        let recognizer = CountingRecognizer()
        try await OwnWyomingServer.run(Self.engines(recognizer)) { port in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let client = try await RawWyomingClient(port: port)
                        try await client.send(
                            .init("transcribe"), .init("audio-start", data: Self.sound), Self.second,
                            .init("audio-stop"))
                        #expect(try await client.frame()?.data["text"] == "turn on the light")
                    }
                }
                try await group.waitForAll()
            }
            #expect(recognizer.most == 1)
        }
    }

    @Test func `an engine that fails or hangs is an error`() async throws {
        let failing = ScriptedRecognizer("") { .fail(SpeechServiceError(.serverFailed, "A secret path.")) }
        try await OwnWyomingServer.run(Self.engines(failing, voice: { throw BrokenPromise() })) { port in
            let client = try await RawWyomingClient(port: port)
            try await client.send(.init("transcribe"), Self.second, .init("audio-stop"))
            let frame = try #require(try await client.frame())
            #expect(frame.data["code"] == "engine-failed" && frame.data["text"]?.string?.contains("secret") == false)
            try await client.send(.init("synthesize", data: ["text": "x"]))
            #expect(try await client.code() == "engine-failed")
        }
        let clock = ManualClock()
        try await OwnWyomingServer.run(Self.engines(ScriptedRecognizer("") { .stall }), clock: clock) { port in
            let client = try await RawWyomingClient(port: port)
            try await client.send(.init("transcribe"), Self.second, .init("audio-stop"))
            try await eventually("the wait for the engine") { clock.remaining.contains(.seconds(60)) }
            clock.advance(by: .seconds(60))
            #expect(try await client.code() == "timeout")
        }
    }

    @Test func `one client too many is refused`() async throws {
        var limits = WyomingServerConfiguration.Limits()
        (limits.clients, limits.wakeStreams) = (2, 1)
        try await OwnWyomingServer.run(Self.engines(), limits: limits) { port in
            let (first, second) = (try await RawWyomingClient(port: port), try await RawWyomingClient(port: port))
            try await first.send(.init("detect"), .init("ping"))
            #expect(try await first.frame()?.type == "pong")
            try await second.send(.init("detect"))
            #expect(try await second.code() == "busy")
            let third = try await RawWyomingClient(port: port)
            #expect(try await third.code() == "busy")
            // The place is free again with the request's end.
            try await first.send(.init("synthesize", data: ["text": ""]))
            #expect(try await first.frame()?.type == "audio-start")
            try await second.send(.init("detect"), Self.second, .init("audio-stop"))
            #expect(try await second.frame()?.type == "not-detected")
        }
    }

    @Test func `a wake word has the time of its chunk, or of the stream`() async throws {
        try await OwnWyomingServer.run(Self.engines()) { port in
            let client = try await RawWyomingClient(port: port)
            var loud = Self.second
            loud.payload = (0..<32_000).map { $0 % 2 == 0 ? 0 : 0x40 }
            var timed = loud
            timed.data["timestamp"] = 77
            try await client.send(.init("detect"), Self.second, loud, timed, .init("audio-stop"))
            #expect(try await client.frame() == .init("detection", data: ["name": "loud", "timestamp": 1_000]))
            #expect(try await client.frame() == .init("detection", data: ["name": "loud", "timestamp": 77]))
            try await client.send(Self.second, .init("audio-stop"), .init("ping"))
            #expect(try await client.frame()?.type == "not-detected")
            #expect(try await client.frame()?.type == "pong")
        }
    }

    @Test(arguments: [(44_100, 3, 2), (8_000, 1, 1), (48_000, 4, 6), (16_000, 2, 1)])
    func `sound in another format is converted`(rate: Int, width: Int, channels: Int) async throws {
        let recognizer = ScriptedRecognizer("frames")
        try await OwnWyomingServer.run(Self.engines(recognizer)) { port in
            let client = try await RawWyomingClient(port: port)
            let format: JSONObject = [
                "rate": .integer(rate), "width": .integer(width), "channels": .integer(channels),
            ]
            let piece = [UInt8](repeating: 0, count: rate / 10 * width * channels)
            try await client.send(.init("transcribe"), .init("audio-start", data: format))
            for _ in 0..<20 { try await client.send(.init("audio-chunk", data: format, payload: piece)) }
            try await client.send(.init("audio-stop"))
            let words = try await client.frame()?.data["text"]?.string ?? ""
            let frames = try #require(Int(words.filter(\.isNumber)), "\(words)")
            #expect(abs(frames - 32_000) <= 1)
        }
    }

    @Test func `partial words are streamed`() async throws {
        let recognizer = FixedRecognizer(partials: ["turn", "turn on"])
        var engines = Self.engines(recognizer)
        engines.recognizers[0].streams = true
        try await OwnWyomingServer.run(engines) { [engines] port in
            #expect(engines.recognizers[0].streams)
            let service = try WyomingService(
                name: "own", address: "tcp://127.0.0.1:\(port)", connector: try loopbackTransport())
            let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
            feed.yield(AudioBuffer(silentFrames: 320, format: .speech))
            feed.finish()
            var events: [RecognitionEvent] = []
            for try await event in WyomingRecognizer(service).recognize(sound) { events.append(event) }
            let words = Transcription("turn on the light", language: "en")
            #expect(
                events == [.partial("turn"), .partial("turn on"), .partial("turn on the light"), .final(words)])
        }
    }
}

/// Finds a wake word in every buffer that is loud.
private struct LoudSpotter: WakeWordSpotter {
    let format = AudioFormat.speech

    func spot(_ sound: AudioBuffer, at position: Int) async throws -> [WakeWordSighting] {
        guard sound.samples.contains(where: { $0 > 0.4 }) else { return [] }
        return [WakeWordSighting(range: position..<position + sound.frameCount, score: 1)]
    }
}

/// Says ten seconds for each sentence.
private final class LongSynthesizer: SpeechSynthesizer {
    let format = AudioFormat(sampleRate: 48_000)
    private let first = Promise<Void>()

    func waitForFirst() async throws { try await first.value() }

    func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        first.resolve()
        return AsyncThrowingStream { feed in
            feed.yield(AudioBuffer(silentFrames: 480_000, format: format))
            feed.finish()
        }
    }
}

/// Counts the recognitions at once.
private final class CountingRecognizer: SpeechRecognizer {
    let format = AudioFormat.speech
    private let counts = Guarded((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func recognize(_ sound: AsyncStream<AudioBuffer>) -> AsyncThrowingStream<RecognitionEvent, any Error> {
        counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        return .filled { [self] feed in
            for await _ in sound { await disturbOrder(3) }
            counts.withLock { $0.now -= 1 }
            feed.yield(.final(Transcription("turn on the light")))
        }
    }
}
