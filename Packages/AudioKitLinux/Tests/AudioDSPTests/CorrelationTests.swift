// SPDX-License-Identifier: MIT

import AudioDSP
import Glibc
import TestKit
import Testing

@Suite("Chirp and correlation")
struct CorrelationTests {
    @Test("a chirp begins and ends softly, within its amplitude, with its frequencies", arguments: Chirp.Sweep.allCases)
    func chirp(_ sweep: Chirp.Sweep) {
        let chirp = Chirp.samples(4_000, frequencies: 200...3_000, sampleRate: 16_000, amplitude: 0.7, sweep: sweep)
        #expect(chirp.count == 4_000 && chirp[0] == 0 && abs(chirp[3_999]) < 0.01)
        #expect(chirp.allSatisfy { abs($0) <= 0.7 } && (chirp.map(abs).max() ?? 0) > 0.69)
        // The crossings of 0 tell the mean frequency of each end.
        func crossings(_ range: Range<Int>) -> Int { range.count { (chirp[$0] < 0) != (chirp[$0 + 1] < 0) } }
        #expect((10...60).contains(crossings(0..<800)))
        #expect((230...300).contains(crossings(3_199..<3_999)))
        #expect(Chirp.samples(0, sampleRate: 16_000).isEmpty && Chirp.samples(1, sampleRate: 16_000) == [0])
    }

    @Test("a chirp under noise is found to a twentieth of a frame", arguments: [0.0, 0.25, 0.5, -0.3])
    func find(_ fraction: Double) throws {
        let chirp = Chirp.samples(1_200, frequencies: 500...6_000, sampleRate: 48_000)
        var random = SeededGenerator(seed: 8)
        var recording = random.samples(6_000).map { $0 * 0.05 }
        // The same glide, begun a fraction of a frame later, a fifth as loud and upside down.
        let length = 1_200.0 / 48_000
        for index in 0..<1_200 {
            let time = (Double(index) - fraction) / 48_000
            let edge = min(1, max(0, min(Double(index), 1_199 - Double(index)) / 60))
            let turns = 500 * time + 5_500 * time * time / (2 * length)
            recording[2_345 + index] -= Float(0.1 * sin(2 * .pi * turns) * sin(edge * .pi / 2))
        }
        let match = try #require(CrossCorrelation.find(chirp, in: recording))
        #expect(abs(match.delay - (2_345 + fraction)) < 0.05, "\(match)")
        #expect(match.similarity < -0.8 && match.distinctness > 2, "\(match)")
    }

    @Test("the correlation is its sum")
    func oracle() throws {
        var random = SeededGenerator(seed: 21)
        for (length, count) in [(1, 1), (1, 9), (5, 17), (30, 64), (64, 64), (33, 200)] {
            let (sound, recording) = (random.samples(length), random.samples(count))
            let alike = (0...count - length).map { place -> Double in
                let piece = recording[place..<place + length]
                let sum = zip(sound, piece).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
                let energies = sound.reduce(0.0) { $0 + Double($1 * $1) } * piece.reduce(0.0) { $0 + Double($1 * $1) }
                return sum / energies.squareRoot()
            }
            let best = alike.indices.max { abs(alike[$0]) < abs(alike[$1]) } ?? 0
            let match = try #require(CrossCorrelation.find(sound, in: recording))
            if length > 1 { #expect(abs(match.delay - Double(best)) <= 0.5) }
            #expect(abs(abs(match.similarity) - abs(alike[best])) < 1e-4)
        }
    }

    @Test("nothing is found in nothing")
    func nothing() {
        let chirp = Chirp.samples(100, sampleRate: 16_000)
        #expect(CrossCorrelation.find(chirp, in: []) == nil && CrossCorrelation.find([], in: chirp) == nil)
        #expect(CrossCorrelation.find(chirp, in: [Float](repeating: 0, count: 500)) == nil)
        #expect(CrossCorrelation.find([Float](repeating: 0, count: 50), in: chirp) == nil)
        #expect(CrossCorrelation.find(chirp, in: [Float](repeating: .nan, count: 500)) == nil)
    }
}
