// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import TestKit
import Testing

@testable import SpeechEvaluation

@Suite struct MeasuresTests {
    private func measures(_ samples: [Float], channels: Int = 1) -> SoundMeasures {
        var measures = SoundMeasures(format: AudioFormat(sampleRate: 48_000, channels: channels))
        var rest = samples[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(channels * 1_001))
            measures.add(AudioBuffer(samples: piece, format: measures.format))
            rest = rest.dropFirst(piece.count)
        }
        return measures
    }

    /// EBU Tech 3341, case 1: a stereo sine of 1 kHz at −23 dBFS is −23 LUFS.
    @Test func loudnessAndTruePeak() throws {
        let amplitude = Float(pow(10, -23.0 / 20))
        let tone = (0..<(48_000 * 5)).flatMap { frame -> [Float] in
            let value = amplitude * Float(sin(2 * Double.pi * 1_000 * Double(frame) / 48_000))
            return [value, value]
        }
        let found = measures(tone, channels: 2)
        #expect(abs(try #require(found.integratedLoudness) + 23) < 0.1)
        #expect(abs(try #require(found.truePeak) + 23) < 0.1)
        #expect(try #require(found.loudnessRange) < 0.1)
        #expect(found.clippedSamples == 0)
    }

    @Test func silenceHasNoLevels() {
        let found = measures([Float](repeating: 0, count: 48_000))
        #expect(found.integratedLoudness == nil && found.loudnessRange == nil && found.truePeak == nil)
    }

    @Test func runsOfThreeAtFullScaleAreClipped() {
        #expect(measures([1, 1, 0, 1, 1]).clippedSamples == 0)
        #expect(measures([0, 1, 1, 1, 0, -1, -1, -1, -1]).clippedSamples == 7)
        // From one end to the other is no run.
        #expect(measures([1, 1, -1, -1, 1, 1]).clippedSamples == 0)
        // Channels are counted each for itself.
        #expect(measures([1, 0, 1, 0, 1, 0], channels: 2).clippedSamples == 3)
        #expect(measures([1, -1, 0.5, 1, 1, 0], channels: 2).clippedShare == 0)
        #expect(measures([1, 1, 1, 0]).clippedShare == 0.75)
        // Across the pieces in which it comes.
        let across = [Float](repeating: 0, count: 1_000) + [1, 1, 1] + [0, 0]
        #expect(measures(across).clippedSamples == 3)
    }

    /// Whatever is said, each stretch of speech lies in one piece, in order, and little has to be kept.
    @Test(arguments: 0..<200) func piecesHoldAllSpeech(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var (pieces, found, speech): (SpeechPieces, [Range<Int>], [Range<Int>]) = (SpeechPieces(), [], [])
        var position = 0
        for _ in 0..<40 {
            let start = position + Int.random(in: 0...(seed % 2 == 0 ? 30_000 : 5_000), using: &generator)
            while position < start {
                position = min(start, position + 1_600)
                if let piece = pieces.pass(position, isInSpeech: false) { found.append(piece) }
            }
            let stretch = start..<(start + Int.random(in: 1_600...400_000, using: &generator))
            position = stretch.upperBound
            let needed = pieces.needed(at: position, isInSpeech: true)
            #expect(position - needed <= 3 * SpeechPieces.longest)
            speech.append(stretch)
            if let piece = pieces.add(stretch) {
                #expect(piece.lowerBound >= needed)
                found.append(piece)
            }
        }
        if let piece = pieces.finish(length: position + 100) { found.append(piece) }
        #expect(
            speech.allSatisfy { stretch in
                found.count { $0.contains(stretch.lowerBound) && $0.upperBound >= stretch.upperBound } == 1
            })
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
        #expect(found.allSatisfy { $0.count <= SpeechPieces.longest + 2 * SpeechPieces.margin && $0.lowerBound >= 0 })
    }

    /// Half an hour of speech-like sound would be 115 MB; what is held stays below a minute and a half.
    @Test func aLongRecordingIsNotKept() throws {
        var run = try EvaluationRun(format: .speech, weights: nil, pause: .milliseconds(250))
        var generator = SeededGenerator(seed: 9)
        var most = 0
        for second in 0..<180 {
            let level: Float = second % 40 < 38 ? 0.1 : 0.0001
            let buzz = (0..<16_000).map { index -> Float in
                let syllable = sinf(2 * .pi * 4 * Float(index) / 16_000)
                return level * max(0, syllable) * Float(index % 120 < 8 ? 1 : 0) + 1e-5
                    * Float.random(in: -1...1, using: &generator)
            }
            _ = try run.add(AudioBuffer(samples: buzz, format: .speech))
            most = max(most, run.heldSamples)
        }
        #expect(most < 90 * 16_000)
        #expect(run.evaluation().duration == 180)
    }
}
