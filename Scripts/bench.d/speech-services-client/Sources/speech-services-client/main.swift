// SPDX-License-Identifier: MIT

import AudioBuffers
import Foundation
import Networking
import SpeechEngines
import SpeechServices

// usage: speech-services-client speech|transcribe BASE ROUNDS
//        speech-services-client wyoming-speech|wyoming-transcribe tcp://HOST:PORT ROUNDS
//        speech-services-client fallback BASE ROUNDS
//        speech-services-client gap BASE ROUNDS
//
// Prints the milliseconds of each round, one a line. The first round, which connects, is left out where it says so.

let arguments = CommandLine.arguments
let (mode, address, rounds) = (arguments[1], arguments[2], Int(arguments[3]) ?? 1)
var connections = CurlTransport.Configuration()
connections.proxy = .none
let transport = try CurlTransport(configuration: connections)

func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

func measure(_ body: () async throws -> Void) async throws {
    try await body()
    for _ in 0..<rounds {
        let began = ContinuousClock.now
        try await body()
        print(milliseconds(ContinuousClock.now - began))
    }
}

func service() throws -> HTTPSpeechService {
    guard let base = URL(string: address) else { throw URLError(.badURL) }
    return HTTPSpeechService(name: "bench", baseURL: base, transport: transport)
}

func wyoming() throws -> WyomingService { try WyomingService(name: "bench", address: address, connector: transport) }

func speak(_ engine: any SpeechSynthesizer) async throws {
    var frames = 0
    for try await buffer in engine.synthesize("It is a quarter past nine.") { frames += buffer.frameCount }
    precondition(frames > 0, "no sound")
}

/// Five seconds of sound, as a microphone delivers them.
func hear(_ engine: any SpeechRecognizer) async throws {
    let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
    for _ in 0..<250 { feed.yield(AudioBuffer(silentFrames: 320, format: .speech)) }
    feed.finish()
    for try await event in engine.recognize(sound) {
        if case .final(let words) = event { precondition(!words.text.isEmpty, "no words") }
    }
}

/// An engine of this machine that needs no time.
struct InstantEngine: SpeechSynthesizer {
    let format = AudioFormat(sampleRate: 24_000)

    func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        AsyncThrowingStream { feed in
            feed.yield(AudioBuffer(silentFrames: 24_000, format: format))
            feed.finish()
        }
    }
}

switch mode {
case "speech": try await measure { try await speak(OpenAISynthesizer(try service())) }
case "transcribe": try await measure { try await hear(OpenAIRecognizer(try service())) }
case "wyoming-speech": try await measure { try await speak(WyomingSynthesizer(try wyoming())) }
case "wyoming-transcribe": try await measure { try await hear(WyomingRecognizer(try wyoming())) }
case "fallback":
    // A new pair each time, so that each falls anew.
    for _ in 0..<rounds {
        let pair = FallbackSynthesizer(
            OpenAISynthesizer(try service()), local: InstantEngine(),
            configuration: FallbackConfiguration { sound, _ in sound })
        let began = ContinuousClock.now
        for try await _ in pair.synthesize("It is nine.") {
            print(milliseconds(ContinuousClock.now - began))
            break
        }
    }
case "gap":
    // Each sentence is consumed at the speed of its playback; the wait at the beginning of the next one is the gap.
    let text = (0..<rounds).map { _ in "It is nine." }.joined(separator: " ")
    var splitter = SentenceBuffer()
    let all = splitter.add(text) + splitter.finish()
    let sentences = AsyncStream<SentenceBuffer.Sentence> { feed in
        for sentence in all { feed.yield(sentence) }
        feed.finish()
    }
    var pieces = SentencePipeline(OpenAISynthesizer(try service())).speech(of: sentences).makeAsyncIterator()
    var end: Int?
    while true {
        let began = ContinuousClock.now
        guard let piece = try await pieces.next() else { break }
        let wait = ContinuousClock.now - began
        if let end, end != piece.sentence.end { print(milliseconds(wait)) }
        end = piece.sentence.end
        try await Task.sleep(for: piece.sound.duration)
    }
default: preconditionFailure("unknown mode \(mode)")
}
