// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import StructuredJSON
import TestKit

@testable import Echo

/// What a conversation with the simulator is held by.
struct WireStage: Sendable {
    let echo: Echo
    let events = Collected<EchoEvent>()
    let tracer = Tracer()

    init(_ simulator: EchoSimulator, _ device: VirtualVoiceDevice, traces: Bool = false) {
        var configuration = Self.configuration
        configuration.endpoint = EchoEndpoint(baseURL: simulator.baseURL.absoluteString)
        configuration.voice.device = device
        if traces { configuration.voice.trace = tracer }
        echo = Echo(key: "sk-test-1234", configuration: configuration, eventQueueLimit: 100_000)
        echo.when(EventType.allCases) { [events] event in events.append(event) }
        echo.registerTool(
            Tool(name: "get_number", description: "A number", parameters: ["number": ["type": "integer"]]) { _ in
                try await ContinuousClock().sleep(for: .milliseconds(5))
                return "seven"
            })
    }

    /// Short days: what waits for something that never comes waits for a moment.
    private static var configuration: EchoConfiguration {
        var configuration = EchoConfiguration()
        configuration.voice.filler = nil
        configuration.voice.sessions.firstPause = .milliseconds(5)
        configuration.voice.sessions.longestPause = .milliseconds(40)
        configuration.voice.turns.falseInterruption = .milliseconds(300)
        configuration.voice.limits.transcripts.transcript = .milliseconds(400)
        configuration.voice.limits.transcripts.predecessor = .milliseconds(400)
        configuration.voice.limits.late = .milliseconds(400)
        configuration.voice.limits.windUp = .milliseconds(200)
        configuration.voice.limits.closing = .seconds(1)
        return configuration
    }

    /// Keeps what happens.
    struct Tracer: VoiceTraceSink {
        private let lines = Collected<String>()

        func take(_ line: String) { lines.append(line) }

        func write(to path: String) throws {
            try lines.values.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
        }
    }

    /// How many answers of a scenario may come without words, and without an error.
    static func silences(in scenario: Scenario) -> Int {
        scenario.turns.count { turn in
            if case .answer(let answer) = turn.reply, answer.items.isEmpty { return true }
            return turn.faults.contains { if case .cancel = $0 { true } else { false } }
        }
    }

    /// How many sockets of ours have that port on one end.
    static func sockets(of port: Int) throws -> Int {
        let end = ":" + String(port, radix: 16, uppercase: true)
        return try ["tcp", "tcp6"].map { try kernelText("/proc/self/net/\($0)") }
            .flatMap { $0.split(separator: "\n") }.count { line in
                let fields = line.split(separator: " ")
                // What has no inode is the system's, and waits for late packets.
                return fields.count > 9 && fields[9] != "0" && (fields[1].hasSuffix(end) || fields[2].hasSuffix(end))
            }
    }
}
