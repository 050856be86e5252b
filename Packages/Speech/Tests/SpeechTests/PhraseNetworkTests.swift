// SPDX-License-Identifier: MIT

import AudioKitLinux
import Testing

@testable import Speech

@Suite struct PhraseNetworkTests {
    private static let heyJarvis = ["HH", "EY", "JH", "AA", "R", "V", "AH", "S"]

    /// A second of noise that is louder and softer each eighth.
    private static let noise: [Float] = {
        var state: UInt32 = 7
        return (0..<16_000).map { index in
            state = state &* 1_664_525 &+ 1_013_904_223
            return (Float(state >> 16) / 65536 - 0.5) * 0.2 * ((index / 2000).isMultiple(of: 2) ? 0.1 : 1)
        }
    }()

    @Test func `features are those of the training`() {
        let frames = PhraseFeatures.frames(of: Self.noise)
        #expect(frames.count == 98 * PhraseFeatures.bands)
        // From Scripts/train-wake-word.d/sound.py.
        for (frame, band, value) in [
            (0, 0, Float(-1.1211)), (10, 5, -0.7492), (13, 20, 1.2891), (50, 39, -0.8925), (97, 12, 1.4347),
        ] {
            #expect(abs(frames[frame * PhraseFeatures.bands + band] - value) < 2e-3, "frame \(frame), band \(band)")
        }
        #expect(PhraseFeatures.frames(of: [Float](repeating: 0.1, count: 399)).isEmpty)
    }

    @Test func `scores are those of the training`() throws {
        let phrase = try #require(PhraseNetwork(for: Self.heyJarvis)?.score(Self.noise))
        let word = try #require(PhraseNetwork(for: Array(Self.heyJarvis.dropFirst(2)))?.score(Self.noise))
        // From Scripts/train-wake-word.d/network.py.
        #expect(abs(phrase - -3.2780) < 0.02)
        #expect(abs(word - -2.8910) < 0.02)
    }

    @Test func `other phrases have no network`() {
        #expect(PhraseNetwork(for: ["HH", "AH", "L", "OW"]) == nil)
    }

    @Test func `flite's voices calling score above near words in noise`() async throws {
        let network = try #require(PhraseNetwork(for: Self.heyJarvis))
        var (calls, others): ([Double], [Double]) = ([], [])
        for voice in FliteSynthesizer.Voice.allCases {
            for text in ["hey jarvis", "hey charlie", "good morning", "the garden is", "they harvest", "hey travis"] {
                var sound = [Float](repeating: 0, count: 4800)
                for try await buffer in try FliteSynthesizer(voice: voice).synthesize(text) { sound += buffer.samples }
                sound += [Float](repeating: 0, count: max(0, 25_600 - sound.count))
                var state: UInt32 = 23
                let noisy = sound.prefix(25_600).map { sample in
                    state = state &* 1_664_525 &+ 1_013_904_223
                    return sample + (Float(state >> 16) / 65536 - 0.5) * 0.04
                }
                let score = try #require(network.score(noisy))
                if text == "hey jarvis" { calls.append(score) } else { others.append(score) }
            }
        }
        // The share of pairs in the right order: the area under the ROC curve.
        let pairs = calls.flatMap { call in others.map { call > $0 ? 1.0 : 0 } }
        #expect(pairs.reduce(0, +) / Double(pairs.count) > 0.75, "\(calls) beside \(others)")
    }
}
