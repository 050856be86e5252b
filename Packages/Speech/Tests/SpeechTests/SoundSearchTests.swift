// SPDX-License-Identifier: MIT

import AudioKitLinux
import Testing

@testable import Speech

/// Decoding that follows the sound, against decoding of the whole.
@Suite struct SoundSearchTests {
    private static let sentences = ["turn on the kitchen light", "turn off the garden lantern"]

    private static func makeSearch() throws -> (SoundSearch, words: DecodingLane, phones: DecodingLane) {
        let lights = JSGFGrammar(
            name: "lights",
            start: .sequence(["turn", .choice(["on", "off"]), "the", .choice(["kitchen light", "garden lantern"])]))
        let model = AcousticModel.englishUS
        let arpa = TrigramModel(try GrammarNetwork(lights, otherWords: [])).arpa()
        let dictionary = try PronouncingDictionary(contentsOf: model.dictionaryPath, only: lights.words)
        let decoder = try PocketSphinxDecoder(arpa: arpa, dictionary: dictionary, model: model)
        let frontEnd = try decoder.makeFrontEnd()
        let words = DecodingLane(decoder, label: "words")
        let phones = DecodingLane(try PocketSphinxDecoder(phonesOf: model), label: "phones")
        return (SoundSearch(frontEnd), words, phones)
    }

    private static func spoken(_ text: String, gain: Float = 1) async throws -> [Float] {
        var samples = [Float](repeating: 0, count: 4800)
        for try await buffer in try FliteSynthesizer(voice: .slt).synthesize(text) {
            samples += buffer.samples.map { $0 * gain }
        }
        return samples + [Float](repeating: 0, count: 4800)
    }

    /// Words, phones, their frames and their scores, without fillers, whose scores nobody uses.
    private static func paths(_ words: DecodingLane, _ phones: DecodingLane) -> [String] {
        ((words.end() ?? []) + (phones.end() ?? [])).filter { !RecognitionScorer.isFiller($0.word) }.map {
            "\($0.word) \($0.frames) \($0.acousticScore)"
        }
    }

    @Test(arguments: [160, 320, 1111, 8000]) func `pieces give what the whole gives`(of length: Int) async throws {
        var (search, words, phones) = try Self.makeSearch()
        for sentence in Self.sentences {
            let samples = try await Self.spoken(sentence)
            try search.begin(with: samples, on: [words])
            search.include(phones)
            search.include(words)
            let (whole, channel) = (Self.paths(words, phones), search.own)
            try search.begin(by: channel, on: [words, phones])
            for end in stride(from: length, to: samples.count + length, by: length) {
                try search.follow(Array(samples[..<min(end, samples.count)]))
            }
            #expect(try search.followIfFitting(samples))
            #expect(Self.paths(words, phones) == whole)
            #expect(whole.count > 10)
        }
    }

    @Test func `another level or mean does not fit`() async throws {
        var (search, words, _) = try Self.makeSearch()
        let samples = try await Self.spoken(Self.sentences[0])
        try search.begin(with: samples, on: [words])
        let own = search.own
        var known = KnownChannel()
        known.observe(own)
        let channel = try #require(known.channel)
        for (gain, fits) in [(1, true), (0.9, true), (0.2, false), (5, false)] as [(Float, Bool)] {
            try search.begin(by: channel, on: [words])
            #expect(try search.followIfFitting(try await Self.spoken(Self.sentences[0], gain: gain)) == fits, "\(gain)")
        }
        let shifted = Channel(gain: own.gain, mean: own.mean.map { $0 + 10 }, noise: own.noise, frames: own.frames)
        try search.begin(by: shifted, on: [words])
        #expect(try !search.followIfFitting(samples))
        #expect(own.noise < 10)
        try search.begin(by: own, on: [words])
        let noisy = samples.enumerated().map { $1 + 0.01 * Float(($0 * 7919) % 1009 - 504) / 504 }
        #expect(try !search.followIfFitting(noisy))
        #expect(search.own.noise > 100)
    }

    @Test func `a known channel is the mean of three utterances at one gain`() {
        func channel(_ gain: Float, _ mean: Float, _ frames: Int) -> Channel {
            Channel(gain: gain, mean: [mean], noise: mean * 10, frames: frames)
        }
        var known = KnownChannel()
        #expect(known.channel == nil)
        known.observe(channel(1, 0, 0))
        #expect(known.channel == nil, "Without frames there is no mean.")
        for (mean, frames) in [(100, 50), (4, 100), (1, 200), (2, 100)] as [(Float, Int)] {
            known.observe(channel(1, mean, frames))
        }
        #expect(known.channel?.mean == [2])
        #expect(known.channel?.noise == 20)
        #expect(known.channel?.frames == 400)
        known.observe(channel(2, 7, 10))
        #expect(known.channel?.mean == [7])
        #expect(known.channel?.gain == 2)
    }
}
