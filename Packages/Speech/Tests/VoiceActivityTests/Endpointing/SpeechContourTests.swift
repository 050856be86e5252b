// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing
import VoiceActivity

@Suite("The contour of a voice before a pause") struct SpeechContourTests {
    /// A second of a tone with four overtones whose pitch and level change in the last 0.3 s.
    private static func voice(pitch: Double = 140, falls semitones: Double = 0, decibels: Double = 0) -> [Float] {
        var phase = 0.0
        return (0..<16_000).map { index in
            let share = max(0, Double(index - 11_200) / 4800)
            phase += 2 * Double.pi * pitch * pow(2, -semitones * share / 12) / 16_000
            let level = 0.1 * pow(10, -decibels * share / 20)
            return Float((1...5).reduce(0) { $0 + sin(phase * Double($1)) / Double($1) } * level)
        }
    }

    @Test(arguments: [90.0, 140, 220]) func `a level voice falls in nothing`(_ pitch: Double) throws {
        let contour = SpeechContour(of: Self.voice(pitch: pitch))
        #expect(contour.levelFall < 1)
        #expect(abs(try #require(contour.pitchFall)) < 1)
    }

    @Test func `a fall of pitch is a fall and a rise is none`() throws {
        #expect(try #require(SpeechContour(of: Self.voice(falls: 6)).pitchFall) > 3)
        #expect(try #require(SpeechContour(of: Self.voice(falls: -6)).pitchFall) < -3)
    }

    @Test func `a voice that fades has a fall of level`() {
        let fall = SpeechContour(of: Self.voice(decibels: 20)).levelFall
        #expect(fall > 14 && fall < 21)
    }

    @Test func `noise has no pitch`() {
        var generator = SeededGenerator(seed: 26)
        let noise = (0..<16_000).map { _ in Float.random(in: -0.1...0.1, using: &generator) }
        #expect(SpeechContour(of: noise).pitchFall == nil)
    }

    @Test func `little sound and no numbers tell nothing`() {
        #expect(SpeechContour(of: []) == .unknown)
        #expect(SpeechContour(of: [Float](repeating: 0, count: 20_000)) == .unknown)
        #expect(SpeechContour(of: [Float](repeating: .nan, count: 20_000)) == .unknown)
    }
}
