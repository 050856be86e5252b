// SPDX-License-Identifier: MIT

import Testing
import VoiceActivity

@Suite("The pause that ends a question") struct PausePolicyTests {
    private let policy = PausePolicy()

    private func pause(
        certain: Bool = true, confidence: Double = 1, level: Double = 20, usual: Int = 0
    ) -> Duration {
        policy.pause(
            after: PausePolicy.Evidence(
                isCertain: certain, confidence: confidence, contour: SpeechContour(levelFall: level),
                usualPause: .milliseconds(usual)))
    }

    @Test func `what hardly goes on ends sooner than what may`() {
        for usual in [0, 150, 300, 2000] { #expect(pause(usual: usual) <= pause(certain: false, usual: usual)) }
        #expect(pause() < pause(certain: false))
    }

    @Test func `the pause is never longer than it was without evidence`() {
        for certain in [true, false] {
            for confidence in [-1, 0, 0.5, 1, .nan] {
                for level in [0.0, 10, 60, .nan] {
                    for usual in [0, 100, 400, 5000] {
                        let pause = pause(certain: certain, confidence: confidence, level: level, usual: usual)
                        #expect(pause >= .milliseconds(100) && pause <= .milliseconds(certain ? 170 : 260))
                    }
                }
            }
        }
    }

    @Test func `a habit is the longest pause and fades`() {
        var habit = PauseHabit()
        #expect(habit.usual == .zero)
        habit.paused(for: .milliseconds(300))
        habit.paused(for: .milliseconds(100))
        #expect(habit.usual == .milliseconds(300))
        for _ in 0..<10 { habit.ended() }
        #expect(habit.usual < .milliseconds(40))
    }
}
