// SPDX-License-Identifier: MIT

import TestKit

@testable import Echo

/// What a virtual world is like: how slow, how faulty. Times are microseconds.
struct WorldPlan {
    var mode = TurnDetection.automatic(VADConfiguration())
    /// What the device hands over at once.
    var period = 20_000
    var deviceDelay = 60_000
    var flushTime = 5_000
    var up = 20_000...40_000
    var down = 20_000...40_000
    var connect = 100_000...300_000
    /// How the first attempts to connect end.
    var connectFaults: [WorldConnectFault] = []
    /// From the commit to the transcript.
    var transcript = 100_000...400_000
    /// Of a hundred transcripts.
    var failing = 0
    var missing = 0
    var doubled = 0
    var late = 0
    /// Of a hundred turns, those whose items are announced after the answer's first.
    var lateItems = 0
    /// Of a hundred events that are no deltas, those that come twice.
    var doubledEvents = 0
    /// Of a hundred answers.
    var tools = 0
    var broken = 0
    /// Of a hundred requests for an answer.
    var refused = 0
    var think = 100_000...500_000
    /// How much an answer says, in milliseconds.
    var answer = 500...4_000
    /// How much faster than it is spoken an answer comes.
    var speed = 1...10
    /// Whether the program carries out calls, and submits their results.
    var programRunsTools = false
    /// In dollars; an answer or a transcript costs a cent.
    var budget: Double?
    var toolTime = 50_000...800_000
    /// Whether what was closed still says something.
    var stale = false
    /// Whether the service makes transcripts of sound that comes as an item.
    var transcribesItems = true
    /// Whether the device tells when it hears a voice.
    var localVoice = false
    var guardrail = false
    /// Of a hundred answers, those that must not be heard.
    var bad = 0
    var judgement = 20_000...300_000
    var filler = false
    /// The age at which the service ends a session.
    var expiry = 3_600_000_000
    var sessions = SessionLifecycle.Limits()

    var isAutomatic: Bool { if case .automatic = mode { true } else { false } }
    var createsResponse: Bool { if case .automatic(let detection) = mode { detection.createsResponse } else { false } }
    var interruptsResponse: Bool {
        if case .automatic(let detection) = mode { detection.interruptsResponse } else { false }
    }

    /// Who carries out calls, and what may be spent, by chance.
    mutating func addProgram(_ random: inout SeededGenerator) {
        programRunsTools = Int.random(in: 0..<3, using: &random) == 0
        budget = Int.random(in: 0..<3, using: &random) == 0 ? Double.random(in: 0...0.1, using: &random) : nil
    }

    /// A world by chance.
    static func random(_ random: inout SeededGenerator) -> WorldPlan {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        var plan = WorldPlan()
        var detection = VADConfiguration()
        detection.createsResponse = chance(25)
        detection.interruptsResponse = detection.createsResponse && chance(50)
        plan.mode = chance(20) ? .manual : .automatic(detection)
        plan.period = [10_000, 20_000, 20_000, 40_000][Int.random(in: 0..<4, using: &random)]
        plan.deviceDelay = Int.random(in: 1_000...150_000, using: &random)
        plan.flushTime = Int.random(in: 0...30_000, using: &random)
        let slow = chance(20) ? 600_000 : 60_000
        plan.up = 5_000...Int.random(in: 10_000...slow, using: &random)
        plan.down = 5_000...Int.random(in: 10_000...slow, using: &random)
        plan.connect = 50_000...Int.random(in: 100_000...3_000_000, using: &random)
        plan.transcript = 50_000...Int.random(in: 100_000...1_500_000, using: &random)
        if chance(50) {
            plan.failing = Int.random(in: 0...20, using: &random)
            plan.missing = Int.random(in: 0...20, using: &random)
            plan.doubled = Int.random(in: 0...20, using: &random)
            plan.late = Int.random(in: 0...20, using: &random)
        }
        plan.tools = chance(40) ? Int.random(in: 10...60, using: &random) : 0
        plan.broken = chance(25) ? Int.random(in: 5...20, using: &random) : 0
        plan.refused = chance(15) ? Int.random(in: 5...20, using: &random) : 0
        plan.think = 10_000...Int.random(in: 50_000...1_500_000, using: &random)
        plan.speed = 1...Int.random(in: 1...20, using: &random)
        plan.toolTime = 1_000...Int.random(in: 10_000...4_000_000, using: &random)
        plan.stale = chance(50)
        plan.transcribesItems = chance(50)
        plan.localVoice = chance(30)
        plan.guardrail = chance(15)
        plan.bad = plan.guardrail ? 30 : 0
        plan.filler = chance(30)
        if chance(35) {
            plan.expiry = Int.random(in: 9_000_000...20_000_000, using: &random)
            plan.sessions.rollover = .microseconds(plan.expiry * 6 / 10)
            plan.sessions.lastSwitch = .microseconds(plan.expiry * 9 / 10)
        }
        plan.lateItems = chance(30) ? Int.random(in: 5...40, using: &random) : 0
        plan.doubledEvents = chance(30) ? Int.random(in: 1...5, using: &random) : 0
        return plan
    }
}
