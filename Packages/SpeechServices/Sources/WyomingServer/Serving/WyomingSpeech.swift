// SPDX-License-Identifier: MIT

import AudioBuffers
import SpeechEngines
import SpeechServices

/// One text that is spoken, sentence by sentence: the next one is begun when the client has taken the one before.
struct WyomingSpeech {
    private let synthesizer: any SpeechSynthesizer
    private let streams: Bool
    private let slots: EngineSlots
    private let outbox: WyomingOutbox
    private var text = SentenceBuffer()
    private var hasBegun = false

    /// A quarter of a second, or a little more.
    private static let longestChunk = 8_192

    init(_ synthesizer: any SpeechSynthesizer, streams: Bool, _ slots: EngineSlots, _ outbox: WyomingOutbox) {
        (self.synthesizer, self.streams, self.slots, self.outbox) = (synthesizer, streams, slots, outbox)
    }

    mutating func speak(_ piece: String) async throws {
        for sentence in text.add(piece) { try await say(sentence.text) }
    }

    mutating func finish() async throws {
        for sentence in text.finish() { try await say(sentence.text) }
        if streams {
            try await outbox.send(WyomingFrame("synthesize-stopped"))
        } else {
            if !hasBegun { try await begin() }
            try await outbox.send(WyomingFrame("audio-stop"))
        }
    }

    private mutating func begin() async throws {
        hasBegun = true
        try await outbox.send(WyomingFrame("audio-start", data: synthesizer.format.wyoming))
    }

    private mutating func say(_ sentence: String) async throws {
        // The engine is free again when the sentence is made, however slowly the client takes it.
        let sound = AsyncThrowingStream<AudioBuffer, any Error>.filled { [synthesizer, slots] feed in
            try await slots.use {
                for try await buffer in synthesizer.synthesize(sentence) { feed.yield(buffer) }
            }
        }
        // A client that streams expects one sound for each sentence, any other one for the text.
        if streams || !hasBegun { try await begin() }
        for try await buffer in sound {
            for start in stride(from: 0, to: buffer.frameCount, by: Self.longestChunk) {
                try await outbox.send(
                    WyomingFrame(
                        "audio-chunk", data: buffer.format.wyoming,
                        payload: buffer.frames(start..<start + Self.longestChunk).littleEndianBytes))
            }
        }
        if streams { try await outbox.send(WyomingFrame("audio-stop")) }
    }
}
