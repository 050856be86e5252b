// SPDX-License-Identifier: MIT

import AudioKitLinux
import Speech
import Testing

@Suite struct EnergyEndpointerTests {
    /// Parts of a sound: how long each lasts in milliseconds, and the level of its tone over the background.
    private static func sound(_ parts: [(milliseconds: Int, level: Float)], background: Float = 0.0005) -> [Float] {
        var noise: UInt32 = 7
        var samples: [Float] = []
        for (milliseconds, level) in parts {
            for index in 0..<(milliseconds * 16) {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let tone = (index / 20) % 2 == 0 ? level : -level
                samples.append(tone + background * (Float(noise >> 8) / Float(1 << 23) - 1))
            }
        }
        return samples
    }

    private static let question: [(Int, Float)] = [(500, 0), (800, 0.1), (200, 0), (600, 0.1), (1200, 0)]

    @Test func findsBeginningPauseAndEnd() throws {
        var endpointer = EnergyEndpointer()
        let events = endpointer.process(samples: Self.sound(Self.question)) + endpointer.finish()
        let kinds = events.map { String(describing: $0).prefix { $0 != "(" } }
        #expect(
            kinds == [
                "speechStarted", "pauseBegan", "speechResumed", "pauseBegan", "pauseSettled", "speechEnded",
            ])
        guard case .speechStarted(let start) = try #require(events.first),
            case .speechEnded(let last, let detected) = try #require(events.last)
        else {
            Issue.record("\(events)")
            return
        }
        #expect((100 * 16...500 * 16).contains(start), "the pre-roll lies before the first energy, not after it")
        #expect(abs(last - 2100 * 16) <= 40 * 16, "the last sound, not the moment of certainty")
        #expect(detected - last >= 700 * 16 - 160)
    }

    @Test(arguments: [1, 7, 159, 160, 161, 1600, 100_000]) func anyCutGivesTheSameEvents(_ size: Int) {
        let samples = Self.sound(Self.question)
        var whole = EnergyEndpointer()
        let expected = whole.process(samples: samples) + whole.finish()
        var pieces = EnergyEndpointer()
        var events: [EnergyEndpointer.Event] = []
        for start in stride(from: 0, to: samples.count, by: size) {
            events += pieces.process(samples: Array(samples[start..<min(start + size, samples.count)]))
        }
        #expect(events + pieces.finish() == expected)
    }

    @Test func aClickIsNotSpeech() {
        var endpointer = EnergyEndpointer()
        let events = endpointer.process(samples: Self.sound([(500, 0), (80, 0.3), (1500, 0)])) + endpointer.finish()
        #expect(!events.contains { if case .speechEnded = $0 { true } else { false } })
        #expect(!endpointer.isInSpeech)
    }

    @Test(arguments: [0, 0.00003, 0.003, 0.02] as [Float]) func backgroundAloneIsSilence(_ level: Float) {
        var endpointer = EnergyEndpointer()
        #expect(endpointer.process(samples: Self.sound([(5000, 0)], background: level)).isEmpty)
    }

    @Test func speechThatBeginsTheStreamIsFoundFromItsFirstSample() {
        var endpointer = EnergyEndpointer()
        let events = endpointer.process(samples: Self.sound([(600, 0.1), (1000, 0)]))
        #expect(events.first == .speechStarted(at: 0))
    }

    @Test func endlessSpeechIsEndedAtTheLimit() {
        var configuration = EnergyEndpointer.Configuration()
        configuration.longestSpeech = .seconds(3)
        var endpointer = EnergyEndpointer(configuration: configuration)
        let parts: [(Int, Float)] = [(400, 0)] + (0..<20).flatMap { _ in [(300, 0.1), (60, 0)] as [(Int, Float)] }
        let events = endpointer.process(samples: Self.sound(parts))
        #expect(events.contains { if case .speechEnded = $0 { true } else { false } })
    }

    @Test func theStreamsEndEndsSpeech() {
        var endpointer = EnergyEndpointer()
        _ = endpointer.process(samples: Self.sound([(300, 0), (500, 0.1)]))
        #expect(endpointer.isInSpeech)
        let events = endpointer.finish()
        #expect(events.count == 1)
        #expect(!endpointer.isInSpeech)
        #expect(endpointer.finish().isEmpty)
    }

    @Test func brokenSamplesDoNoHarm() {
        var endpointer = EnergyEndpointer()
        let broken = [Float](repeating: .nan, count: 16_000) + [Float](repeating: .infinity, count: 16_000)
        #expect(endpointer.process(samples: broken).isEmpty)
        let events = endpointer.process(samples: Self.sound(Self.question)) + endpointer.finish()
        #expect(events.contains { if case .speechEnded = $0 { true } else { false } })
    }
}
