// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation

/// The simulated service behind a tap, until standard input ends: `service PART JOURNAL`.
enum Service {
    static func run(_ part: String, journal path: String) async throws {
        var configuration = SimulatorConfiguration()
        if part == "turns" {
            // A short answer: what is measured is over when it begins.
            configuration.speak = { _ in tone(milliseconds: 100) }
        }
        let simulator = try await EchoSimulator.start(scenario: scenario(part), configuration: configuration)
        guard let port = simulator.baseURL.port.flatMap(UInt16.init(exactly:)) else {
            throw Failure("the simulator has no port")
        }
        let journal = Journal()
        let tap = try Tap(to: port, journal)
        Journal.say("{\"base\": \"http://127.0.0.1:\(tap.port)/v1\"}")
        await Journal.endOfInput()
        await simulator.close()
        try journal.write(to: path)
    }

    private static func scenario(_ part: String) -> Scenario {
        // Sound is 60 ms a letter, and a pause of 60 ms after each word.
        let (short, long) = ("Good.", "The capital of Arkansas is Little Rock.")
        let question = Scenario.Speech(transcript: "What is the capital of Arkansas?")
        // What is said, one after the other; the last for ever.
        let answers =
            switch part {
            case "talk": [long]
            // One word has no pause, so that silence is silence.
            case "interrupt": [String(repeating: "a", count: 200)]
            // The long ones are cut short.
            case "switch": (0..<100).map { $0 % 2 == 0 ? short : long }
            default: [short]
            }
        let spoken = answers.enumerated().map { place, answer in
            Scenario.Turn(.message(answer), times: place == answers.count - 1 ? .max : 1, speech: question)
        }
        return Scenario(spoken + [.init(.message(short), times: .max)])
    }

    private static func tone(milliseconds: Int) -> [Int16] {
        (0..<24 * milliseconds).map { $0 / 60 % 2 == 0 ? 6_000 : -6_000 }
    }
}
