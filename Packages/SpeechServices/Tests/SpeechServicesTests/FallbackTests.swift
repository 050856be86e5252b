// SPDX-License-Identifier: MIT

import AudioBuffers
import Concurrency
import SpeechEngines
import SpeechServices
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct FallbackTests {
    private static let failure = SpeechServiceError(.serverFailed, "It has failed. Try again.")

    /// What happened to a pair of engines.
    private final class Told: Sendable {
        private let events = Guarded<[String]>([])

        var all: [String] { events.withLock { $0 } }

        func tell(_ event: FallbackEvent) {
            let text =
                switch event {
                case .fellBack(let error, let wait): "\((error as? SpeechServiceError)?.code.rawValue ?? "?") \(wait)"
                case .recovered: "recovered"
                }
            events.withLock { $0.append(text) }
        }
    }

    private static func configuration(_ told: Told) -> FallbackConfiguration {
        var configuration = FallbackConfiguration(
            convert: { AudioBuffer(samples: $0.samples.flatMap { [$0, $0] }, format: $1) },
            onEvent: { told.tell($0) })
        configuration.backoff = Backoff(first: .seconds(5), longest: .seconds(30), jitter: .none)
        return configuration
    }

    private static func frames(_ engine: some SpeechSynthesizer, _ text: String) async throws -> [Int] {
        var frames: [Int] = []
        for try await buffer in engine.synthesize(text) {
            #expect(buffer.format == engine.format)
            frames.append(buffer.frameCount)
        }
        return frames
    }

    @Test func `the local engine speaks while the service fails`() async throws {
        let (told, clock) = (Told(), ManualClock())
        let broken = Guarded(true)
        let service = ScriptedSynthesizer { _ in broken.withLock { $0 } ? .fail(Self.failure) : .say }
        let local = ScriptedSynthesizer()
        let pair = FallbackSynthesizer(service, local: local, configuration: Self.configuration(told), clock: clock)
        #expect(try await Self.frames(pair, "One. Three.") == [4, 4, 6, 6])
        #expect(service.texts == ["One."] && local.texts == ["One.", "Three."])
        #expect(told.all == ["serverFailed 5.0 seconds"])
        broken.withLock { $0 = false }
        #expect(try await Self.frames(pair, "Two.") == [4, 4])
        #expect(service.texts == ["One."])
        clock.advance(by: .seconds(5))
        #expect(try await Self.frames(pair, "Two.") == [4, 4])
        #expect(service.texts == ["One.", "Two."] && told.all.last == "recovered" && told.all.count == 2)
    }

    @Test func `a silent service is left within its patience`() async throws {
        let (told, clock) = (Told(), ManualClock())
        let configuration = Self.configuration(told)
        #expect(configuration.patience < .seconds(1))
        let pair = FallbackSynthesizer(
            ScriptedSynthesizer { _ in .stall }, local: ScriptedSynthesizer(), configuration: configuration,
            clock: clock)
        let task = Task { try await Self.frames(pair, "One.") }
        await clock.waitForSleeper(of: configuration.patience)
        clock.advance(by: configuration.patience)
        #expect(try await task.value == [4, 4])
        #expect(told.all == ["stalled 5.0 seconds"])
    }

    @Test func `a sentence that broke off is spoken again`() async throws {
        let told = Told()
        let service = ScriptedSynthesizer { $0 == "Two." ? .sayHalf(Self.failure) : .say }
        let local = ScriptedSynthesizer()
        let pair = FallbackSynthesizer(
            service, local: local, configuration: Self.configuration(told), clock: ManualClock())
        #expect(try await Self.frames(pair, "Three. Two. One.") == [6, 6, 4, 4, 4, 4, 4])
        #expect(local.texts == ["Two.", "One."])
    }

    @Test func `the local sound has the service's format`() async throws {
        let service = ScriptedSynthesizer(AudioFormat(sampleRate: 32_000)) { _ in .fail(Self.failure) }
        let pair = FallbackSynthesizer(
            service, local: ScriptedSynthesizer(), configuration: Self.configuration(Told()), clock: ManualClock())
        #expect(try await Self.frames(pair, "One.") == [16])
    }

    @Test func `a service that answers without a sound has failed`() async throws {
        let told = Told()
        let service = ScriptedSynthesizer { _ in .sayNothing }
        let local = ScriptedSynthesizer()
        let pair = FallbackSynthesizer(
            service, local: local, configuration: Self.configuration(told), clock: ManualClock())
        #expect(try await Self.frames(pair, "…").isEmpty && told.all.isEmpty)
        #expect(try await Self.frames(pair, "One.") == [4, 4])
        #expect(service.texts.last == "One." && local.texts == ["One."])
        #expect(told.all == ["cut 5.0 seconds"])
    }

    @Test(arguments: [1, 1.5]) func `a kept sound does not end an outage`(pitch: Double) async throws {
        let (told, clock, cache) = (Told(), ManualClock(), InMemorySpeechCache())
        let sound = AudioBuffer(silentFrames: 800, format: .speech)
        cache.store([sound], for: SpeechCacheKey(text: "Yes.", voice: "a", settings: ""))
        let service = ScriptedSynthesizer { _ in .fail(Self.failure) }
        let cached = CachingSynthesizer(service, voice: "a", settings: "", cache: cache)
        let local = ScriptedSynthesizer()
        let pair = FallbackSynthesizer(
            ShapedSynthesizer(cached, pitch: pitch), local: local, configuration: Self.configuration(told),
            clock: clock)
        #expect(try await Self.frames(pair, "One.") == [4, 4])
        clock.advance(by: .seconds(5))
        #expect(try await Self.frames(pair, "Yes.").reduce(0, +) == 800)
        #expect(try await Self.frames(pair, "Two.") == [4, 4])
        #expect(service.texts == ["One.", "Two."] && local.texts == ["One.", "Two."])
        #expect(told.all == ["serverFailed 5.0 seconds"])
    }

    @Test func `giving up is no failure`() async throws {
        let (told, clock) = (Told(), ManualClock())
        let pair = FallbackSynthesizer(
            ScriptedSynthesizer { _ in .stall }, local: ScriptedSynthesizer(), configuration: Self.configuration(told),
            clock: clock)
        let task = Task { try await Self.frames(pair, "One.") }
        await clock.waitForSleepers()
        task.cancel()
        _ = await task.result
        #expect(told.all.isEmpty)
    }

    // MARK: Recognition

    private static func hear(_ engine: some SpeechRecognizer, frames: Int) async throws -> [RecognitionEvent] {
        let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
        for _ in 0..<frames / 100 { feed.yield(AudioBuffer(silentFrames: 100, format: .speech)) }
        feed.finish()
        var events: [RecognitionEvent] = []
        for try await event in engine.recognize(sound) { events.append(event) }
        return events
    }

    @Test func `the local engine hears the whole utterance`() async throws {
        let (told, clock) = (Told(), ManualClock())
        let broken = Guarded(true)
        let service = ScriptedRecognizer("service") { broken.withLock { $0 } ? .fail(Self.failure) : .hear }
        let pair = FallbackRecognizer(
            service, local: ScriptedRecognizer("local"), configuration: Self.configuration(told), clock: clock)
        #expect(try await Self.hear(pair, frames: 40_000) == [.final(Transcription("local 40000"))])
        #expect(told.all == ["serverFailed 5.0 seconds"])
        broken.withLock { $0 = false }
        #expect(try await Self.hear(pair, frames: 400) == [.final(Transcription("local 400"))])
        clock.advance(by: .seconds(5))
        #expect(try await Self.hear(pair, frames: 400) == [.final(Transcription("service 400"))])
        #expect(told.all == ["serverFailed 5.0 seconds", "recovered"])
    }

    @Test func `a silent recogniser is left when its patience is over`() async throws {
        let (told, clock) = (Told(), ManualClock())
        let configuration = Self.configuration(told)
        let pair = FallbackRecognizer(
            ScriptedRecognizer("service") { .stall }, local: ScriptedRecognizer("local"), configuration: configuration,
            clock: clock)
        let task = Task { try await Self.hear(pair, frames: 400) }
        await clock.waitForSleeper(of: configuration.patience)
        clock.advance(by: configuration.patience)
        #expect(try await task.value == [.final(Transcription("local 400"))])
        #expect(told.all == ["stalled 5.0 seconds"])
    }

    @Test func `a long utterance has more patience`() async throws {
        let (told, clock) = (Told(), ManualClock())
        let configuration = Self.configuration(told)
        let pair = FallbackRecognizer(
            ScriptedRecognizer("service") { .stall }, local: ScriptedRecognizer("local"), configuration: configuration,
            clock: clock)
        // Two and a half times ten seconds.
        let task = Task { try await Self.hear(pair, frames: 400_000) }
        await clock.waitForSleepers(2)
        #expect(clock.remaining.allSatisfy { $0 == configuration.patience * 1.5 })
        clock.advance(by: configuration.patience * 1.5)
        await clock.waitForSleeper(of: configuration.patience)
        #expect(told.all.isEmpty)
        clock.advance(by: configuration.patience)
        #expect(try await task.value == [.final(Transcription("local 400000"))])
        #expect(told.all == ["stalled 5.0 seconds"])
    }

    @Test func `a recogniser that never comes to an end is left`() async throws {
        let (told, clock) = (Told(), ManualClock())
        let configuration = Self.configuration(told)
        let pair = FallbackRecognizer(
            ScriptedRecognizer("service") { .babble }, local: ScriptedRecognizer("local"), configuration: configuration,
            clock: clock)
        let task = Task { try await Self.hear(pair, frames: 400) }
        await clock.waitForSleeper(of: configuration.patience * 10)
        clock.advance(by: configuration.patience * 10)
        #expect(try await task.value.last == .final(Transcription("local 400")))
        #expect(told.all == ["stalled 5.0 seconds"])
    }

    @Test func `patience counts from the end of the sound`() async throws {
        let (told, clock) = (Told(), ManualClock())
        let pair = FallbackRecognizer(
            ScriptedRecognizer("service"), local: ScriptedRecognizer("local"), configuration: Self.configuration(told),
            clock: clock)
        let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
        var events = pair.recognize(sound).makeAsyncIterator()
        feed.yield(AudioBuffer(silentFrames: 100, format: .speech))
        clock.advance(by: .seconds(60))
        feed.finish()
        #expect(try await events.next() == .final(Transcription("service 100")))
        #expect(told.all.isEmpty)
    }
}
