// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VoiceActivity

@Suite("The contour of a voice before a pause") struct SpeechContourTests {
    /// A second of a tone with four overtones whose level changes in the last 0.3 s.
    private static func voice(falls decibels: Double = 0) -> [Float] {
        (0..<16_000).map { index in
            let share = max(0, Double(index - 11_200) / 4800)
            let phase = 2 * Double.pi * 140 * Double(index) / 16_000
            let level = 0.1 * pow(10, -decibels * share / 20)
            return Float((1...5).reduce(0) { $0 + sin(phase * Double($1)) / Double($1) } * level)
        }
    }

    @Test func `a level voice falls in nothing`() { #expect(SpeechContour(of: Self.voice()).levelFall < 1) }

    @Test func `a voice that fades has a fall of level`() {
        let fall = SpeechContour(of: Self.voice(falls: 20)).levelFall
        #expect(fall > 14 && fall < 21)
    }

    @Test func `little sound and no numbers tell nothing`() {
        #expect(SpeechContour(of: []) == .unknown)
        #expect(SpeechContour(of: [Float](repeating: 0, count: 20_000)) == .unknown)
        #expect(SpeechContour(of: [Float](repeating: .nan, count: 20_000)) == .unknown)
    }
}
