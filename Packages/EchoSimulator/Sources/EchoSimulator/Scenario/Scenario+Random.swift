// SPDX-License-Identifier: MIT

import Concurrency
import StructuredJSON

extension Scenario {
    /// A scenario for `/v1/realtime` with every possible failure: transcripts that are late, fail, are missing or are
    /// sent twice, items out of order, calls of functions, answers that are cancelled, fail or stop short, pauses,
    /// broken messages, expiry, and every way in which a session ends.
    ///
    /// - Parameters:
    ///   - seed: The same seed makes the same scenario.
    ///   - turns: The number of spoken turns, and of answers to text; after them all is plausible.
    ///   - sessions: The number of sessions that end early; the others last.
    ///   - longestWait: No single delay is longer.
    public static func randomRealtime(
        seed: UInt64, turns: Int = 40, sessions: Int = 20, longestWait: Duration = .milliseconds(400)
    ) -> Scenario {
        var random = RandomRealtime(seed: seed, longestWait: longestWait)
        var scenario = Scenario()
        scenario.name = "realtime \(seed)"
        for _ in 0..<sessions { scenario.turns.append(random.session()) }
        for number in 0..<turns {
            scenario.turns.append(random.turn(number, isSpoken: true))
            scenario.turns.append(random.turn(number, isSpoken: false))
        }
        return scenario
    }
}

/// Draws turns.
private struct RandomRealtime {
    private var random: SplitMix64
    private let longestWait: Duration

    init(seed: UInt64, longestWait: Duration) {
        random = SplitMix64(seed: seed)
        self.longestWait = longestWait
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func wait() -> Duration { longestWait * number(0...100) / 100 }

    mutating func session() -> Scenario.Turn {
        guard chance(60) else { return Scenario.Turn(match: .init(path: path), session: .init()) }
        let place = number(2...80)
        let codes = [1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 1015]
        let end: Scenario.Fault =
            chance(20) ? .expire(afterEvents: place) : .close(afterEvents: place, code: pick(codes))
        return Scenario.Turn(match: .init(path: path), faults: [end], session: .init())
    }

    mutating func turn(_ number: Int, isSpoken: Bool) -> Scenario.Turn {
        var speech: Scenario.Speech?
        if isSpoken {
            speech = Scenario.Speech(
                transcript: "Question \(number)", moment: pick(Scenario.Speech.Moment.allCases), delay: wait(),
                outcome: chance(60) ? .completed : pick(Scenario.Speech.Outcome.allCases), isItemLate: chance(25))
        }
        let pace = Scenario.Pace(delay: chance(30) ? wait() / 20 : .zero, firstDelay: chance(30) ? wait() : .zero)
        return Scenario.Turn(
            .answer(answer(number)), match: .init(path: path), faults: faults(), pace: pace, speech: speech)
    }

    private mutating func answer(_ number: Int) -> Scenario.Answer {
        var answer = Scenario.Answer(items: [.message("This is answer \(number), and it goes on for a little while.")])
        if chance(15) { answer.items.append(.functionCall(name: "get_number", arguments: #"{"number":\#(number)}"#)) }
        if chance(10) { answer.items.append(.message("And this is its second part.")) }
        answer.isInterleaved = chance(50)
        switch self.number(0...19) {
        case 0: answer.status = .failed(code: "rate_limit_exceeded", message: "Rate limit reached.")
        case 1: answer.status = .failed(code: "server_error", message: "The server had an error.")
        case 2: answer.status = .incomplete(reason: "max_output_tokens")
        case 3: answer.status = .incomplete(reason: "content_filter")
        case 4: answer.items = []
        default: break
        }
        return answer
    }

    private mutating func faults() -> [Scenario.Fault] {
        guard chance(30) else { return [] }
        let place = number(0...25)
        switch number(0...5) {
        case 0: return [.cancel(afterEvents: place)]
        case 1: return [.unknownEvent(atEvent: place, ["type": "response.telepathy.delta", "delta": "…"])]
        case 2: return [.duplicate(atEvent: place)]
        case 3: return [.stall(afterEvents: place, wait())]
        case 4: return [.malformed(atEvent: place, data: pick(["{", "", "null", "[1]", "{\"type\": 7}", "\u{FEFF}"]))]
        default: return [.binary(atEvent: place, count: number(0...64))]
        }
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    private let path = "/v1/realtime"
}
