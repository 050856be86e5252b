// SPDX-License-Identifier: MIT

import TestKit

@testable import Echo
@testable import EchoSimulator

/// The plan as the simulator's scenario.
extension WorldPlan {
    private static func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
        percent > 0 && Int.random(in: 0..<100, using: &random) < percent
    }

    /// The user's speech, and the pace of the answer to it.
    func spokenTurn(using random: inout SeededGenerator) -> Scenario.Turn {
        var speech = Scenario.Speech(moment: .independent)
        speech.delay = .microseconds(Int.random(in: transcript, using: &random))
        if Self.chance(late, &random) {
            speech.delay += .microseconds(Int.random(in: 1_500_000...14_000_000, using: &random))
        }
        if Self.chance(doubled, &random) { speech.outcome = .duplicate }
        if Self.chance(failing, &random) { speech.outcome = .failed }
        if Self.chance(missing, &random) { speech.outcome = .missing }
        speech.isItemLate = Self.chance(lateItems, &random)
        var turn = answerTurn(using: &random)
        turn.speech = speech
        return turn
    }

    func answerTurn(using random: inout SeededGenerator) -> Scenario.Turn {
        let sound = Int.random(in: 40...400, using: &random)
        // A delta of words comes with each of sound.
        let pace = Scenario.Pace(
            chunk: max(sound * 19 / 250, 1), sound: .milliseconds(sound),
            delay: .microseconds(sound * 500 / Int.random(in: speed, using: &random)),
            firstDelay: .microseconds(Int.random(in: think, using: &random)))
        let isRefused = Self.chance(refused, &random)
        return Scenario.Turn(faults: isRefused ? [.refuse(code: "inference_rate_limited")] : [], pace: pace)
    }
}
