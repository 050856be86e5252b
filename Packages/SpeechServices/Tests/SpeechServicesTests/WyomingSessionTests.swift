// SPDX-License-Identifier: MIT

import AudioBuffers
import SpeechEngines
import SpeechServices
import StructuredJSON
import TestKit
import Testing

@testable import WyomingServer

/// The rules of a connection, without a socket.
@Suite(.timeLimit(.minutes(5))) struct WyomingSessionTests {
    private static let engines = WyomingEngines(
        recognizers: [.init(id: "states", description: "States", languages: ["en"], engine: FixedRecognizer())],
        voices: [
            .init(id: "slt", description: "A woman", languages: ["en-US"]) { throw BrokenPromise() },
            .init(id: "de", description: "German", languages: ["de-DE"]) { throw BrokenPromise() },
        ],
        wakeWords: [.init(id: "hey_jarvis", phrase: "hey jarvis", languages: ["en"]) { throw BrokenPromise() }])
    private static let configuration = WyomingServerConfiguration(
        .init(name: "parley", version: "1", description: "Parley", url: "https://example.org"))
    private static let sound: JSONObject = ["rate": 16_000, "width": 2, "channels": 1]

    private static func session() -> WyomingSession { WyomingSession(engines, configuration) }

    /// The codes of the errors among the actions.
    private static func codes(_ actions: [WyomingSession.Action]) -> [String] {
        actions.compactMap { action in
            guard case .send(let frame) = action, frame.type == "error" else { return nil }
            return frame.data["code"]?.string
        }
    }

    @Test func `an utterance is heard between its request and its end`() throws {
        var session = Self.session()
        #expect(session.handle(.init("transcribe", data: ["language": "en-GB"])) == [.beginRecognition(0)])
        let start = session.handle(.init("audio-start", data: Self.sound))
        guard case .beginSound(let format) = start.first else { throw BrokenPromise() }
        let chunk = WyomingFrame("audio-chunk", data: Self.sound, payload: [1, 2])
        #expect(session.handle(chunk) == [.hear(WyomingSound(format: format, bytes: [1, 2], timestamp: nil))])
        #expect(session.handle(.init("audio-stop")) == [.finishSound])
        #expect(!session.isBusy)
    }

    @Test func `a detector needs no start of the sound`() {
        var session = Self.session()
        #expect(session.handle(.init("detect", data: ["names": ["hey_jarvis", "other"]])) == [.beginDetection([0])])
        let actions = session.handle(.init("audio-chunk", data: Self.sound, payload: [1, 2]))
        #expect(actions.count == 2)
        #expect(session.handle(.init("audio-stop")) == [.finishSound])
        // The stream may go on.
        #expect(session.handle(.init("audio-start", data: Self.sound)).count == 1)
    }

    @Test func `a client that streams sends the whole text for nothing`() {
        var session = Self.session()
        let voice: JSONObject = ["voice": ["language": "de"]]
        #expect(session.handle(.init("synthesize-start", data: voice)) == [.beginSpeech(1, streams: true)])
        #expect(session.handle(.init("synthesize-chunk", data: ["text": "Hallo. "])) == [.speak("Hallo. ")])
        #expect(session.handle(.init("synthesize", data: ["text": "Hallo."])).isEmpty)
        #expect(session.handle(.init("synthesize-stop")) == [.finishSpeech])
        let whole = session.handle(.init("synthesize", data: ["text": "Yes."]))
        #expect(whole == [.beginSpeech(0, streams: false), .speak("Yes."), .finishSpeech])
    }

    @Test(arguments: [("fr-FR", 1), ("FR_be", 0), ("fr-CH", 0), ("fr", 0), ("pt-BR", 3), ("pt", 2)])
    func `a language's own region comes first`(language: String, index: Int) {
        let tags = ["fr-be", "fr-fr", "pt", "pt-br"]
        let engines = WyomingEngines(
            recognizers: tags.map { .init(id: $0, description: $0, languages: [$0], engine: FixedRecognizer()) },
            voices: tags.map { .init(id: $0, description: $0, languages: [$0]) { throw BrokenPromise() } })
        var session = WyomingSession(engines, Self.configuration)
        let data: JSONObject = ["language": .string(language)]
        #expect(session.handle(.init("transcribe", data: data)) == [.beginRecognition(index)])
        let speech = session.handle(.init("synthesize-start", data: ["voice": .object(data)]))
        #expect(speech.last == .beginSpeech(index, streams: true))
    }

    @Test(arguments: [
        (WyomingFrame("transcribe", data: ["name": "whisper"]), "unknown-model"),
        (.init("transcribe", data: ["language": "fr"]), "unsupported-language"),
        (.init("detect", data: ["names": ["alexa"]]), "unknown-wake-word"),
        (.init("synthesize", data: ["text": "x", "voice": ["name": "amy"]]), "unknown-voice"),
        (.init("synthesize", data: ["text": "x", "voice": ["language": "fr"]]), "unsupported-language"),
        (.init("synthesize"), "invalid-request"), (.init("synthesize", data: ["text": 3]), "invalid-request"),
        (.init("synthesize", data: ["text": "<speak/>", "text_format": "ssml"]), "invalid-request"),
        (.init("synthesize-chunk", data: ["text": "x"]), "no-request"), (.init("synthesize-stop"), "no-request"),
        (.init("audio-start", data: Self.sound), "no-request"), (.init("audio-stop"), "no-request"),
        (.init("audio-chunk", data: Self.sound, payload: [0, 0]), "no-request"),
        (.init("run-pipeline"), "unknown-type"), (.init("select-program", data: ["name": "x"]), "unknown-program"),
    ])
    func `a request that cannot be served is refused`(frame: WyomingFrame, code: String) {
        var session = Self.session()
        #expect(Self.codes(session.handle(frame)) == [code])
    }

    private static func format(_ rate: JSONValue, _ width: Int, _ channels: Int) -> JSONObject {
        ["rate": rate, "width": .integer(width), "channels": .integer(channels)]
    }

    @Test(arguments: [
        (format(.null, 2, 1), "invalid-request", 2), (format("16000", 2, 1), "invalid-request", 2),
        (format(16_000, 5, 1), "unsupported-sound", 5), (format(1, 2, 1), "unsupported-sound", 2),
        (format(1e12, 2, 1), "unsupported-sound", 2), (format(16_000, 2, 0), "unsupported-sound", 2),
        (format(16_000, 2, 1), "malformed-sound", 3), (format(16_000, 2, 1), "malformed-sound", 0),
        (format(8_000, 2, 2), "malformed-sound", 2),
    ])
    func `malformed sound is refused once`(data: JSONObject, code: String, bytes: Int) {
        var session = Self.session()
        _ = session.handle(.init("transcribe"))
        let chunk = WyomingFrame("audio-chunk", data: data, payload: [UInt8](repeating: 0, count: bytes))
        let actions = session.handle(chunk)
        #expect(Self.codes(actions) == [code])
        #expect(actions.first == .cancelWork)
        #expect(session.handle(chunk).isEmpty)
        #expect(session.handle(.init("audio-stop")).isEmpty)
        #expect(session.handle(.init("transcribe")) == [.beginRecognition(0)])
    }

    @Test func `an utterance and a text have a limit`() {
        var session = Self.session()
        _ = session.handle(.init("transcribe"))
        let second = WyomingFrame("audio-chunk", data: Self.sound, payload: [UInt8](repeating: 0, count: 32_000))
        for _ in 0..<60 { #expect(Self.codes(session.handle(second)).isEmpty) }
        #expect(Self.codes(session.handle(second)) == ["too-long"])
        // A stream for a wake word has none.
        _ = session.handle(.init("detect"))
        for _ in 0..<100 { #expect(Self.codes(session.handle(second)).isEmpty) }
        _ = session.handle(.init("synthesize-start"))
        let text = WyomingFrame("synthesize-chunk", data: ["text": .string(String(repeating: "a", count: 40_000))])
        #expect(Self.codes(session.handle(text)).isEmpty)
        #expect(Self.codes(session.handle(text)) == ["too-long"])
    }

    @Test func `a new request replaces one that is unfinished`() {
        var session = Self.session()
        _ = session.handle(.init("transcribe"))
        #expect(session.handle(.init("detect")) == [.cancelWork, .beginDetection([0])])
        #expect(session.handle(.init("synthesize", data: ["text": "a"])).first == .cancelWork)
    }

    @Test func `samples of every width are read`() throws {
        let cases: [(width: Int, bytes: [UInt8])] = [
            (1, [0x80, 0x40, 0xFF]), (2, [0, 0x80, 0, 0x40, 0, 0xFF]), (3, [0, 0, 0x80, 0, 0, 0x40, 0, 0, 0xFF]),
            (4, [0, 0, 0, 0x80, 0, 0, 0, 0x40, 0, 0, 0, 0xFF]),
        ]
        for (width, bytes) in cases {
            let format = try WyomingSoundFormat(["rate": 16_000, "width": .integer(width), "channels": 1])
            let buffer = WyomingSound(format: format, bytes: bytes, timestamp: nil).buffer
            #expect(buffer.samples == [-1, 0.5, -1.0 / 128], "\(width)")
        }
    }

    @Test func `partial words become pieces that add up`() {
        var words = WyomingPartialWords()
        var text = ""
        for partial in ["Turn", "Turn", "Turn of", "Turn on", "Turn on the"] {
            for frame in words.frames(for: partial) { text += frame.data["text"]?.string ?? "" }
        }
        // What the engine took back cannot be unsaid.
        #expect(text == "Turn of")
        let last = words.lastFrames(for: Transcription("Turn off.", language: "en"))
        #expect(last.map(\.type) == ["transcript-chunk", "transcript", "transcript-stop"])
        #expect(last[1].data == ["text": "Turn off.", "language": "en"])
        var whole = WyomingPartialWords()
        #expect(whole.lastFrames(for: Transcription("")).map(\.type) == ["transcript"])
    }
}

/// Hears one sentence in everything, as soon as the sound has ended.
struct FixedRecognizer: SpeechRecognizer {
    let format = AudioFormat.speech
    var partials: [String] = []

    func recognize(_ sound: AsyncStream<AudioBuffer>) -> AsyncThrowingStream<RecognitionEvent, any Error> {
        .filled { feed in
            for words in partials { feed.yield(.partial(words)) }
            var count = 0
            for await buffer in sound { count += buffer.frameCount }
            feed.yield(.final(Transcription(count > 0 ? "turn on the light" : "", language: "en")))
        }
    }
}
