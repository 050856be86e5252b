// SPDX-License-Identifier: MIT

import AudioBuffers
import SpeechEngines
import SpeechServices
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct SentenceTests {
    private static func sentences(_ text: String) -> AsyncStream<SentenceBuffer.Sentence> {
        var buffer = SentenceBuffer()
        let all = buffer.add(text) + buffer.finish()
        return AsyncStream { feed in
            for sentence in all { feed.yield(sentence) }
            feed.finish()
        }
    }

    @Test func `one sentence is made ahead, and not more`() async throws {
        let engine = ScriptedSynthesizer()
        let pipeline = SentencePipeline(engine)
        var pieces = pipeline.speech(of: Self.sentences("One. Two. Three. Four.")).makeAsyncIterator()
        #expect(try await pieces.next()?.sentence.text == "One.")
        try await engine.waitForTexts(2)
        #expect(engine.texts == ["One.", "Two."])
        #expect(try await pieces.next()?.sentence.text == "One.")
        // The sound after the last of a sentence is there already.
        #expect(try await pieces.next()?.sentence.text == "Two.")
        try await engine.waitForTexts(3)
        #expect(engine.texts == ["One.", "Two.", "Three."])
        var rest: [Int] = []
        while let piece = try await pieces.next() { rest.append(piece.sound.frameCount) }
        #expect(rest == [4, 6, 6, 5, 5])
    }

    @Test func `a failing sentence ends the speech with its error`() async throws {
        let failure = SpeechServiceError(.cut, "It broke. Try again.")
        let engine = ScriptedSynthesizer { $0 == "Two." ? .sayHalf(failure) : .say }
        var heard: [String] = []
        let error = await #expect(throws: SpeechServiceError.self) {
            for try await piece in SentencePipeline(engine).speech(of: Self.sentences("One. Two. Three.")) {
                heard.append(piece.sentence.text)
            }
        }
        #expect(error?.code == .cut && heard == ["One.", "One.", "Two."])
    }

    @Test func `the same text in the same voice is made once`() async throws {
        let (engine, cache) = (ScriptedSynthesizer(), InMemorySpeechCache())
        for (voice, settings, count) in [("a", "", 1), ("a", "", 1), ("b", "", 2), ("a", "fast", 3), ("b", "", 3)] {
            let cached = CachingSynthesizer(engine, voice: voice, settings: settings, cache: cache)
            var frames: [Int] = []
            for try await buffer in cached.synthesize("Yes.") { frames.append(buffer.frameCount) }
            #expect(frames == [4, 4])
            #expect(engine.texts.count == count)
        }
    }

    @Test func `a broken sound is not kept`() async throws {
        let failure = SpeechServiceError(.cut, "It broke. Try again.")
        let (engine, cache) = (ScriptedSynthesizer { _ in .sayHalf(failure) }, InMemorySpeechCache())
        let cached = CachingSynthesizer(engine, voice: "a", settings: "", cache: cache)
        await #expect(throws: SpeechServiceError.self) { for try await _ in cached.synthesize("Yes.") {} }
        #expect(cache.bytes == 0)
    }

    @Test func `the cache drops what was used longest ago`() {
        let cache = InMemorySpeechCache(maximumBytes: 4_100)
        let sound = [AudioBuffer(silentFrames: 250, format: .speech)]
        func key(_ text: String) -> SpeechCacheKey { SpeechCacheKey(text: text, voice: "v", settings: "") }
        for text in ["a", "b", "c", "d"] { cache.store(sound, for: key(text)) }
        #expect(cache.bytes == 4_008)
        #expect(cache.sound(for: key("a")) != nil)
        cache.store(sound, for: key("e"))
        #expect(cache.bytes == 4_008 && cache.sound(for: key("b")) == nil && cache.sound(for: key("a")) != nil)
        cache.store(sound, for: key("e"))
        #expect(cache.bytes == 4_008)
        cache.store([AudioBuffer(silentFrames: 300, format: .speech)], for: key("large"))
        #expect(cache.sound(for: key("large")) == nil && cache.bytes == 4_008)
    }
}
