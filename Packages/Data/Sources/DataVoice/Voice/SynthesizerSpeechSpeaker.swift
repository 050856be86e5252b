// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
public import Diagnostics
public import Domain
public import SpeechEngines
import SpeechServices

/// Speaks an answer on a device: synthesis and playback at once, each sentence as soon as it is there, and the next one
/// made meanwhile.
public struct SynthesizerSpeechSpeaker: SpeechSpeaker {
    private let synthesizer: AheadSynthesizer
    private let makesAhead: Bool
    private let device: AudioDevice
    private let ownSound: OwnSound?
    private let logger: Logger

    /// Makes a speaker; the device is open only while it speaks.
    ///
    /// - Parameters:
    ///   - ownSound: Tells a listener in the same room about the played sound.
    ///   - makesAhead: True to make the first sentence of a text that is only expected; false for a synthesiser that
    ///     costs money.
    public init(
        synthesizer: any SpeechSynthesizer, device: AudioDevice, ownSound: OwnSound? = nil, makesAhead: Bool = false,
        logger: Logger = .disabled
    ) {
        self.synthesizer = AheadSynthesizer(synthesizer)
        self.makesAhead = makesAhead
        self.device = device
        self.ownSound = ownSound
        self.logger = logger
    }

    /// See `SpeechSpeaker`.
    public func speak(_ text: AsyncStream<String>, _ report: @Sendable (SpeakingEvent) async -> Void) async throws {
        guard let first = await text.first(where: { _ in true }) else {
            await report(.heard(0))
            return try Task.checkCancellation()
        }
        try await domainErrors {
            let playback = try await AudioPlayback.start(device: device, logger: logger)
            ownSound?.began(playback)
            defer { ownSound?.ended(playback) }
            var speech = SpokenSentences(try FormatConverter(from: synthesizer.format, to: playback.format))
            do {
                try await play(first, then: text, &speech, on: playback, report)
            } catch {
                let heard = speech.characters(heard: playback.framesHeard)
                await playback.flush()
                await playback.stop()
                if error is CancellationError { await report(.heard(heard)) }
                throw error
            }
            await playback.stop()
        }
    }

    /// See `SpeechSpeaker`: makes the first sentence.
    public func prepare(_ text: String) {
        guard makesAhead, let first = Self.firstSentence(of: text) else { return }
        synthesizer.begin(first)
    }

    /// See `SpeechSpeaker`: makes the first sentences.
    public func preload(_ texts: [String]) async {
        guard makesAhead else { return }
        await synthesizer.keep(texts.compactMap(Self.firstSentence))
    }

    private static func firstSentence(of text: String) -> String? {
        var sentences = SentenceBuffer()
        return (sentences.add(text).first ?? sentences.finish().first)?.text
    }

    private func play(
        _ first: String, then pieces: AsyncStream<String>, _ speech: inout SpokenSentences,
        on playback: AudioPlayback, _ report: @Sendable (SpeakingEvent) async -> Void
    ) async throws {
        let (sentences, feed) = AsyncStream<SentenceBuffer.Sentence>.makeStream()
        async let characters = Self.split(first, pieces, into: feed)
        for try await piece in SentencePipeline(synthesizer).speech(of: sentences) {
            try await play(piece, &speech, on: playback, report)
        }
        let count = await characters
        try Task.checkCancellation()
        if let rest = speech.converter.finish() { try await playback.play(rest) }
        try await playback.drain()
        await report(.reached(.answerSpoken, at: .now))
        await report(.heard(count))
    }

    /// Cuts a text into sentences as its pieces arrive.
    ///
    /// - Returns: The number of characters.
    private static func split(
        _ first: String, _ pieces: AsyncStream<String>, into feed: AsyncStream<SentenceBuffer.Sentence>.Continuation
    ) async -> Int {
        var sentences = SentenceBuffer()
        for sentence in sentences.add(first) { feed.yield(sentence) }
        for await piece in pieces {
            for sentence in sentences.add(piece) { feed.yield(sentence) }
        }
        // A cancelled stream ends early, in the middle of a sentence.
        if !Task.isCancelled { for sentence in sentences.finish() { feed.yield(sentence) } }
        feed.finish()
        return sentences.count
    }

    private func play(
        _ piece: SentencePipeline.Piece, _ speech: inout SpokenSentences, on playback: AudioPlayback,
        _ report: @Sendable (SpeakingEvent) async -> Void
    ) async throws {
        guard let sound = speech.converter.convert(piece.sound) else { return }
        if !speech.hasBegun { await report(.reached(.firstAudioReady, at: .now)) }
        speech.says(piece.sentence, until: playback.framesAccepted + sound.frameCount)
        try await playback.play(sound)
        if !speech.hasBegun, let instant = await playback.firstFrameAudible() {
            await report(.reached(.firstSampleAudible, at: instant))
        }
        speech.hasBegun = true
    }
}

/// The sentences that were given to a playback, with the places in the sound at which they end.
private struct SpokenSentences {
    var converter: FormatConverter
    var hasBegun = false
    private var ends: [(characters: Int, frame: Int)] = []

    init(_ converter: FormatConverter) { self.converter = converter }

    /// Notes that the sound of a sentence, as far as it is made, ends before this frame.
    mutating func says(_ sentence: SentenceBuffer.Sentence, until frame: Int) {
        if ends.last?.characters == sentence.end { ends.removeLast() }
        ends.append((sentence.end, frame))
    }

    /// The characters whose sound is among the first frames; in the middle of a sentence, in proportion.
    func characters(heard frames: Int) -> Int {
        var before = (characters: 0, frame: 0)
        for end in ends {
            guard end.frame > frames else {
                before = end
                continue
            }
            let share = Double(frames - before.frame) / Double(max(1, end.frame - before.frame))
            return before.characters + Int(Double(end.characters - before.characters) * share)
        }
        return before.characters
    }
}
