// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import Speech

@Suite struct NoiseReducerTests {
    private static let reducer = NoiseReducer()

    /// White noise of a deviation, evenly distributed.
    private static func noise(_ count: Int, deviation: Double) -> [Double] {
        var state: UInt32 = 11
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return (Double(state >> 8) / Double(1 << 24) - 0.5) * deviation * 12.0.squareRoot()
        }
    }

    private static func decibels(_ sound: some Collection<Int16>) -> Double {
        10 * log10(sound.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(sound.count) + 1e-9)
    }

    @Test func steadyNoiseBecomesQuieterAndAVoiceInItStays() {
        var sound = Self.noise(32_000, deviation: 300)
        // Half a second of a voice of 150 Hz with its harmonics.
        let voice = 16_000..<24_000
        for index in voice {
            for harmonic in 1...10 {
                sound[index] += 600 * sin(2 * .pi * 150 * Double(harmonic * index) / 16_000)
            }
        }
        let noisy = sound.map { Int16($0.rounded()) }
        let reduced = Self.reducer.reduce(noisy)
        #expect(reduced.count == noisy.count)
        let before = Self.decibels(noisy[2000..<15_000])
        let after = Self.decibels(reduced[2000..<15_000])
        #expect(before - after > 12, "\(before) dB became \(after)")
        let spoken = voice.dropFirst(1000).dropLast(1000)
        let change = Self.decibels(reduced[spoken]) - Self.decibels(noisy[spoken])
        #expect(abs(change) < 1.5, "the voice changed by \(change) dB")
    }

    @Test func noiseThatHasJustBecomeLouderIsTakenOutToo() {
        let faint = Self.noise(8000, deviation: 20)
        let loud = Self.noise(24_000, deviation: 400)
        let noisy = (faint + loud).map { Int16($0.rounded()) }
        let reduced = Self.reducer.reduce(Array(noisy[6400...]))
        let change = Self.decibels(noisy[12_000..<30_000]) - Self.decibels(reduced[5600..<23_600])
        #expect(change > 10, "by \(change) dB")
    }

    @Test func whatIsShortOrSilentIsNoError() {
        #expect(Self.reducer.reduce([]).isEmpty)
        let short = [Int16](repeating: 1000, count: 3000)
        #expect(Self.reducer.reduce(short) == short)
        #expect(Self.reducer.reduce([Int16](repeating: 0, count: 16_000)).allSatisfy { $0 == 0 })
        let loudest = Self.reducer.reduce([Int16](repeating: .min, count: 16_000))
        #expect(loudest.count == 16_000)
    }
}
