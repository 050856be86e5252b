// SPDX-License-Identifier: MIT

import AudioBuffers
import NetworkingTestSupport
import SpeechEngines
import SpeechServices
import SpeechServicesTestSupport
import StructuredJSON
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct WyomingServiceTests {
    private static func service(at peer: WyomingPeer) throws -> WyomingService {
        try WyomingService(
            name: "peer", address: "tcp://127.0.0.1:\(peer.port)", connector: try loopbackTransport(),
            clock: ManualClock())
    }

    @Test func `the server gets every sample of an utterance`() async throws {
        let peer = try await WyomingPeer(["streaming"])
        let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
        // The second is longer than a frame may be.
        for frames in [320, 700_001] { feed.yield(AudioBuffer(silentFrames: frames, format: .speech)) }
        feed.finish()
        var events: [RecognitionEvent] = []
        for try await event in WyomingRecognizer(try Self.service(at: peer)).recognize(sound) { events.append(event) }
        #expect(await peer.line() == "heard 700321")
        let words = Transcription("Turn on the light.", language: "en")
        #expect(events == [.partial("Turn on"), .partial("Turn on the light."), .final(words)])
    }

    @Test(arguments: [false, true]) func `the server gets the text and the voice`(streams: Bool) async throws {
        let peer = try await WyomingPeer(streams ? ["streaming"] : [])
        var configuration = WyomingSynthesizer.Configuration()
        configuration.voice = "amy"
        configuration.streams = streams
        let synthesizer = WyomingSynthesizer(try Self.service(at: peer), configuration: configuration)
        var frames = 0
        for try await buffer in synthesizer.synthesize("It is nine. Go on.") { frames += buffer.frameCount }
        #expect(frames == (streams ? 12_000 : 6_000))
        #expect(await peer.line() == (streams ? "said It is nine. Go on. " : "said It is nine. Go on. amy"))
    }

    @Test func `describe lists models and voices`() async throws {
        let peer = try await WyomingPeer(["streaming"])
        let report = try await SpeechServiceProbe.wyoming(try Self.service(at: peer))
        let offer = try report.result.get()
        #expect(offer.recognitionModels == [.init(id: "base", name: "Base", languages: ["en"])])
        #expect(offer.voices == [.init(id: "amy", name: "Amy", languages: ["en_US"])])
        #expect(offer.streamsTranscripts && offer.streamsSynthesis && !report.isUnprotected)
    }

    @Test func `a voice's format is asked`() async throws {
        let peer = try await WyomingPeer(["rate=16000"])
        let synthesizer = WyomingSynthesizer(try Self.service(at: peer))
        #expect(try await SpeechServiceProbe.format(of: synthesizer) == AudioFormat(sampleRate: 16_000))
    }

    @Test func `streamed words have a limit`() async throws {
        let stream = ScriptedStream()
        let service = try WyomingService(name: "peer", address: "tcp://127.0.0.1:1", connector: stream)
        let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
        feed.yield(AudioBuffer(silentFrames: 320, format: .speech))
        feed.finish()
        let chunk = WyomingFrame("transcript-chunk", data: ["text": .string(String(repeating: "and ", count: 1_000))])
        for _ in 0..<200 { try stream.send(chunk) }
        let error = await #expect(throws: SpeechServiceError.self) {
            for try await _ in WyomingRecognizer(service).recognize(sound) {}
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func `sounds without sound have a limit`() async throws {
        let stream = ScriptedStream()
        let service = try WyomingService(name: "peer", address: "tcp://127.0.0.1:1", connector: stream)
        var configuration = WyomingSynthesizer.Configuration()
        configuration.streams = true
        for _ in 0..<5 { try stream.send(WyomingFrame("audio-stop")) }
        let error = await #expect(throws: SpeechServiceError.self) {
            for try await _ in WyomingSynthesizer(service, configuration: configuration).synthesize("Yes.") {}
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test(arguments: ["describe", "synthesize", "transcribe"])
    func `a server that only pings has stalled`(request: String) async throws {
        let (stream, clock) = (ScriptedStream(), ManualClock())
        let service = try WyomingService(name: "peer", address: "tcp://127.0.0.1:1", connector: stream, clock: clock)
        let task = Task {
            switch request {
            case "describe": _ = try await SpeechServiceProbe.wyoming(service).result.get()
            case "synthesize": for try await _ in WyomingSynthesizer(service).synthesize("Yes.") {}
            default:
                let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
                feed.yield(AudioBuffer(silentFrames: 320, format: .speech))
                feed.finish()
                for try await _ in WyomingRecognizer(service).recognize(sound) {}
            }
        }
        let limit = request == "describe" ? service.limits.stall : service.limits.answer
        try await stream.waitForReads(1)
        await clock.waitForSleeper(of: limit)
        clock.advance(by: limit / 2)
        try stream.send(WyomingFrame("ping"))
        try await stream.waitForReads(2)
        clock.advance(by: limit / 2)
        let error = await #expect(throws: SpeechServiceError.self) { try await task.value }
        #expect(error?.code == .stalled)
    }

    @Test(arguments: [
        "http://127.0.0.1:10300", "tcp://127.0.0.1", "tcp://:1", "127.0.0.1:10300", "tcp://me@127.0.0.1:1",
        "tcp://127.0.0.1:1/x", "tcp://127.0.0.1:70000", "",
    ])
    func `another address is refused`(address: String) throws {
        let error = #expect(throws: SpeechServiceError.self) {
            _ = try WyomingService(name: "peer", address: address, connector: try loopbackTransport())
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `another machine must be allowed explicitly`() async throws {
        let service = try WyomingService(
            name: "peer", address: "tcp://192.0.2.1:10300", connector: try loopbackTransport())
        #expect(!service.isOnThisMachine)
        let report = try await SpeechServiceProbe.wyoming(service)
        guard case .failure(let error) = report.result else { throw BrokenPromise() }
        #expect(error.code == .insecure && report.isUnprotected)
    }

    @Test func `nobody at the port is told`() async throws {
        let service = try WyomingService(
            name: "peer", address: "tcp://127.0.0.1:\(refusingPort)", connector: try loopbackTransport())
        guard case .failure(let error) = try await SpeechServiceProbe.wyoming(service).result else {
            throw BrokenPromise()
        }
        #expect(error.code == .unreachable)
    }
}

/// A test's own precondition did not hold.
struct BrokenPromise: Error {}
