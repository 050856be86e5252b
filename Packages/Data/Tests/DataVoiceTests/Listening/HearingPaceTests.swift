// SPDX-License-Identifier: MIT

import AudioKitLinux
import Testing

@testable import DataVoice

@Suite("How much sound a listener takes at once")
struct HearingPaceTests {
    private var pace = HearingPace()
    private let period = HearingPace.period

    @Test mutating func silenceComesInLargePiecesAndSpeechInSmallerOnes() {
        let silence = pace.periods(isOpen: false, isPlaying: false, isSpeech: false, isSaving: false, after: period)
        #expect(silence == HearingPace.mostPeriods)
        let speech = pace.periods(isOpen: false, isPlaying: false, isSpeech: true, isSaving: false, after: period)
        #expect(speech > 1 && speech < HearingPace.mostPeriods)
    }

    @Test(arguments: [(true, false), (false, true)])
    func whoeverWaitsIsServedAtOnceAndForTwoSecondsMore(_ isOpen: Bool, _ isPlaying: Bool) {
        var pace = HearingPace()
        func next(_ isOpen: Bool = false, _ isPlaying: Bool = false) -> Int {
            pace.periods(isOpen: isOpen, isPlaying: isPlaying, isSpeech: false, isSaving: false, after: period)
        }
        #expect(next(isOpen, isPlaying) == 1)
        var prompt = 0
        while prompt < 1000, next() == 1 { prompt += 1 }
        #expect(prompt == 99)
    }

    @Test mutating func savingDoublesAllButAQuickReaction() {
        let silence = pace.periods(isOpen: false, isPlaying: false, isSpeech: false, isSaving: true, after: period)
        #expect(silence == HearingPace.mostPeriods * 2)
        let open = pace.periods(isOpen: true, isPlaying: false, isSpeech: false, isSaving: true, after: period)
        #expect(open == 1)
    }

    /// The wake word is known 0.4 s after its end, and a person notices a tenth of a second.
    @Test func nothingWaitsForLongerThanItMay() {
        #expect(HearingPace.period * HearingPace.mostPeriods <= .milliseconds(160))
    }
}

@Suite struct PowerWatchTests {
    @Test func `power is looked at twice a minute and in silence alone`() {
        var watch = PowerWatch()
        var wanted: [Bool] = []
        func step(_ seconds: Int, mayChange: Bool = true, isWanted: Bool) -> Bool {
            watch.hasChanged(after: .seconds(seconds), mayChange: mayChange) {
                wanted.append(isWanted)
                return isWanted
            }
        }
        let atOnce = step(1, isWanted: true)
        #expect(atOnce && watch.isSaving)
        let tooSoon = step(29, isWanted: false)
        let inSpeech = step(20, mayChange: false, isWanted: false)
        #expect(!tooSoon && !inSpeech && wanted == [true])
        let after = step(1, isWanted: false)
        #expect(after && !watch.isSaving && wanted == [true, false])
        let same = step(30, isWanted: false)
        #expect(!same && wanted.count == 3)
    }
}

@Suite("The level of each tenth of a second")
struct LevelMeterTests {
    @Test(arguments: [320, 640, 1_600, 2_560, 5_000])
    func itIsToldForEachTenthHoweverTheSoundIsCut(_ piece: Int) {
        let samples = (0..<16_000).map { (frame: Int) -> Float in
            let amplitude = Float(frame / 1_600 + 1) / 20
            return frame % 2 == 0 ? amplitude : -amplitude
        }
        var meter = LevelMeter()
        var levels: [Double] = []
        for start in stride(from: 0, to: samples.count, by: piece) {
            let part = Array(samples[start..<min(samples.count, start + piece)])
            levels += meter.levels(after: AudioBuffer(samples: part, format: .speech))
        }
        #expect(levels.count == 10)
        for (index, level) in levels.enumerated() {
            let amplitude = Float(index + 1) / 20
            #expect(abs(level - Double(AudioLevel(of: AudioBuffer(samples: [amplitude], format: .speech)).rms)) < 0.01)
        }
    }
}
