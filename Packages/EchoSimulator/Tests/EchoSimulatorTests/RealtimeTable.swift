// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import StructuredJSON

@testable import EchoSimulator

/// A session without a connection: events in, events out, jobs done at once, time by hand.
struct RealtimeTable {
    var state: RealtimeSessionState
    let mind: RealtimeMind
    var now = Duration.zero
    /// All that came, faults included.
    private(set) var frames: [RealtimeFrame] = []
    /// The events among it, as far as they are events.
    private(set) var events: [JSONValue] = []
    private var read = 0

    init(
        _ scenario: Scenario = Scenario(), opening: Scenario.Turn? = nil, seed: UInt64 = 1,
        configuration: SimulatorConfiguration = SimulatorConfiguration()
    ) {
        let core = SimulatorCore(scenario: scenario, configuration: configuration)
        var setup = RealtimeSessionState.Setup()
        setup.opening = opening
        setup.seed = seed
        setup.limit = opening?.session?.expiresAfter ?? setup.limit
        setup.take = core.sessionTurns()
        state = RealtimeSessionState(setup)
        mind = RealtimeMind(configuration: configuration)
        settle()
    }

    /// The events since the last call.
    mutating func take() -> [JSONValue] {
        defer { read = events.count }
        return Array(events[read...])
    }

    mutating func types() -> [String] { take().map(\.type) }

    mutating func send(_ event: JSONValue) {
        state.receive(event.text, at: now)
        settle()
    }

    /// Sends, and returns what came of it; `null` alone where nothing did.
    mutating func ask(_ event: JSONValue) -> [JSONValue] {
        _ = take()
        send(event)
        let answers = take()
        return answers.isEmpty ? [.null] : answers
    }

    /// Appends sound in pieces of 100 ms.
    mutating func append(_ samples: [Int16]) {
        for start in stride(from: 0, to: samples.count, by: 2_400) {
            let piece = samples[start..<min(start + 2_400, samples.count)]
            send(["type": "input_audio_buffer.append", "audio": .string(SoundFormat.pcm.encode(piece))])
        }
    }

    mutating func wait(_ time: Duration) {
        let end = now + time
        while let deadline = state.deadline, deadline <= end {
            now = max(now, deadline)
            state.advance(to: now)
            settle()
        }
        now = end
        settle()
    }

    private mutating func settle() {
        while true {
            takeFrames()
            for job in state.takeJobs() {
                switch job {
                case .hear(let item, let sound):
                    state.heard(item, .success(RealtimePrompt.length(sound.count)), at: now)
                case .answer(let answer, let ask):
                    if let script = mind.scriptAtOnce(ask) { state.compose(answer, .success(script), at: now) }
                }
            }
            guard let deadline = state.deadline, deadline <= now else { break }
            state.advance(to: now)
        }
        takeFrames()
    }

    private mutating func takeFrames() {
        for frame in state.takeFrames() {
            frames.append(frame)
            guard case .text(let text) = frame, let event = try? JSONValue(parsing: text) else { continue }
            events.append(event)
        }
    }

    /// Speech of a second, or silence.
    static func speech(milliseconds: Int) -> [Int16] {
        Array(
            [[Int16]](repeating: ToneSpeech.samples(of: "loudspeaking"), count: milliseconds / 700 + 1).joined()
                .prefix(milliseconds * 24))
    }

    static func silence(milliseconds: Int) -> [Int16] { [Int16](repeating: 0, count: milliseconds * 24) }
}

extension JSONValue {
    var type: String { self["type"]?.string ?? "" }
}
