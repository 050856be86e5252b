// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
public import Diagnostics
public import Domain
public import SpeechEngines

/// Speaks an answer on a device: synthesis and playback at once, each sentence as soon as it is there.
public struct SynthesizerSpeechSpeaker: SpeechSpeaker {
    private let synthesizer: any SpeechSynthesizer
    private let device: AudioDevice
    private let ownSound: OwnSound?
    private let logger: Logger

    /// Makes a speaker; the device is open only while it speaks.
    ///
    /// - Parameter ownSound: Tells a listener in the same room about the played sound.
    public init(
        synthesizer: any SpeechSynthesizer, device: AudioDevice, ownSound: OwnSound? = nil, logger: Logger = .disabled
    ) {
        self.synthesizer = synthesizer
        self.device = device
        self.ownSound = ownSound
        self.logger = logger
    }

    /// See `SpeechSpeaker`.
    public func speak(_ text: AsyncStream<String>, _ report: @Sendable (SpeakingEvent) async -> Void) async throws {
        var pieces = text.makeAsyncIterator()
        guard let first = await pieces.next() else {
            await report(.heard(0))
            return try Task.checkCancellation()
        }
        try await domainErrors {
            let playback = try await AudioPlayback.start(device: device, logger: logger)
            ownSound?.began(playback)
            defer { ownSound?.ended(playback) }
            var speech = SpokenSentences(try FormatConverter(from: synthesizer.format, to: playback.format))
            do {
                try await play(first, then: &pieces, &speech, on: playback, report)
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

    private func play(
        _ first: String, then pieces: inout AsyncStream<String>.Iterator, _ speech: inout SpokenSentences,
        on playback: AudioPlayback, _ report: @Sendable (SpeakingEvent) async -> Void
    ) async throws {
        var sentences = SentenceBuffer()
        for sentence in sentences.add(first) { try await play(sentence, &speech, on: playback, report) }
        while let piece = await pieces.next() {
            for sentence in sentences.add(piece) { try await play(sentence, &speech, on: playback, report) }
        }
        try Task.checkCancellation()
        for sentence in sentences.finish() { try await play(sentence, &speech, on: playback, report) }
        try Task.checkCancellation()
        if let rest = speech.converter.finish() { try await playback.play(rest) }
        try await playback.drain()
        await report(.reached(.answerSpoken, at: .now))
        await report(.heard(sentences.count))
    }

    private func play(
        _ sentence: SentenceBuffer.Sentence, _ speech: inout SpokenSentences, on playback: AudioPlayback,
        _ report: @Sendable (SpeakingEvent) async -> Void
    ) async throws {
        for try await buffer in synthesizer.synthesize(sentence.text) {
            guard let sound = speech.converter.convert(buffer) else { continue }
            if !speech.hasBegun { await report(.reached(.firstAudioReady, at: .now)) }
            speech.says(sentence, until: playback.framesAccepted + sound.frameCount)
            try await playback.play(sound)
            if !speech.hasBegun, let instant = await playback.firstFrameAudible() {
                await report(.reached(.firstSampleAudible, at: instant))
            }
            speech.hasBegun = true
        }
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
