// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// `kill -9` at any instant of practising and of sending: what was acknowledged is there, here and at the server, and once.
///
/// `Scripts/soak practice` runs it for longer: PARLEY_PRACTICE_ROUNDS and PARLEY_PRACTICE_SEED say how long, and on what way.
@Suite(.timeLimit(.minutes(60))) struct PracticeKillTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test func nothingAcknowledgedIsLostAndNothingIsThereTwice() async throws {
        let rounds = Self.number("PARLEY_PRACTICE_ROUNDS") ?? 10
        let seed = UInt64(Self.number("PARLEY_PRACTICE_SEED") ?? .random(in: 1...999_999_999))
        let started = ContinuousClock.now
        let person = try await KilledPractice(seed: seed)
        try await person.measure()
        var faults: [String] = []
        for number in 1...rounds where faults.isEmpty {
            let round = person.nextRound()
            try await person.play(round)
            faults = try await person.faultsOnTheDevice()
            if !faults.isEmpty { Issue.record("seed \(seed), round \(number), \(round): \(faults)") }
            if number.isMultiple(of: 25) || number == rounds, faults.isEmpty {
                try await person.sendEverything()
                faults = try await person.faultsEverywhere()
                if !faults.isEmpty { Issue.record("seed \(seed), after round \(number): \(faults)") }
            }
        }
        let places = person.places.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        print(
            "practice: \(rounds) rounds, seed \(seed): \(person.kills) kills (\(places)); "
                + "\(person.acknowledged.count) results are here and at the server, in \(ContinuousClock.now - started)"
        )
        #expect(person.kills > 0, "seed \(seed)")
        if !faults.isEmpty {
            let kept = NSTemporaryDirectory() + "/parley-practice-\(seed)"
            try? FileManager.default.copyItem(atPath: person.folder, toPath: kept)
            print("practice: the files are in \(kept)")
        }
    }
}
