// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import Diagnostics
import Speech
import TestKit

/// The sound at a microphone in a room for a day: a quiet room, people who talk to each other, and now and then a wake
/// word and a question. The same for the same seed.
final class Day: Sendable {
    static let rate = 16_000

    /// The content of the day so far.
    struct Script: Sendable {
        var calls = 0
        var questions = 0
        var remarks = 0
    }

    fileprivate struct State {
        var random: SeededGenerator
        /// The frames of the current speech, from `start` on.
        var said: [Float] = []
        var start = 0
        /// The frame at which the next speech begins.
        var next = rate * 5
        var script = Script()
    }

    private let voices: Voices
    private let state: Guarded<State>

    init(seed: UInt64, voices: Voices) {
        self.voices = voices
        state = Guarded(State(random: SeededGenerator(seed: seed)))
    }

    var script: Script { state.withLock { $0.script } }

    /// The sample of a frame; called for each frame in order.
    func sample(_ frame: Int) -> Float {
        // A few units of the last bit, as in a quiet room.
        let noise = Float((frame &* 1_103_515_245 &+ 12_345) >> 16 & 15) / 32_768 / 2
        return noise + state.withLock { $0.sample(frame, voices) }
    }
}

extension Day.State {
    fileprivate mutating func sample(_ frame: Int, _ voices: Voices) -> Float {
        if frame >= next { begin(at: frame, voices) }
        let index = frame - start
        return index < said.count ? said[index] : 0
    }

    /// Chooses the current speech, and the beginning of the next.
    private mutating func begin(at frame: Int, _ voices: Voices) {
        start = frame
        said = []
        let pause = [Float](repeating: 0, count: Int.random(in: 0..<Day.rate * 3 / 2, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3:
            said = voices.calls.randomElement(using: &random) ?? []
            script.calls += 1
            // The question follows in one breath or after the tone; seldom none follows.
            if Int.random(in: 0..<8, using: &random) > 0 {
                said += pause + (voices.questions.randomElement(using: &random) ?? [])
                script.questions += 1
            }
        case 3..<8:
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                said += (voices.remarks.randomElement(using: &random) ?? []) + pause
            }
            script.remarks += 1
        default: break
        }
        let gain = Float.random(in: 0.15...0.8, using: &random)
        for index in said.indices { said[index] *= gain }
        next = frame + said.count + Int.random(in: Day.rate * 10...Day.rate * 60, using: &random)
    }
}
