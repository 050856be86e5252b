// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

/// The transitions as a table of every state and every event: what is not in it changes nothing.
@Suite struct PracticeStateTests {
    private let cue: Cue
    private let other: Cue
    private let recording: Recording
    private let device = PracticeSamples.evaluation()
    private let server = PracticeSamples.evaluation(right: 2, source: .server)
    private let error = DomainError.device("The microphone was unplugged.")

    init() throws {
        cue = try CueSamples.cue("one")
        other = try CueSamples.cue("two")
        recording = Recording(
            cue: cue.id, createdAt: Date(timeIntervalSince1970: 0), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: 1,
            contentHash: "")
    }

    private var states: [String: PracticeState] {
        [
            "viewing": .viewing(cue), "recording": .recording(cue, isPaused: false),
            "paused": .recording(cue, isPaused: true),
            "reviewing": .reviewing(cue, recording, interrupted: nil),
            "cutOff": .reviewing(cue, recording, interrupted: error),
            "waiting": .waiting(cue, recording, nil, isStored: false),
            "waitingForServer": .waiting(cue, recording, device, isStored: true),
            "waitingForServerAlone": .waiting(cue, recording, nil, isStored: true),
            "result": .result(cue, recording, [device], nil),
            "bothResults": .result(cue, recording, [device, server], nil),
            "serverResult": .result(cue, recording, [server], nil),
            "resultWithError": .result(cue, recording, [device], error),
            "emptyResult": .result(cue, recording, [], nil), "errorResult": .result(cue, recording, [], error),
            "failed": .failed(cue, error), "viewingOther": .viewing(other),
        ]
    }

    private var events: [String: PracticeState.Event] {
        [
            "record": .record, "pause": .pause, "resume": .resume, "recorded": .recorded(recording, interrupted: nil),
            "cutOff": .recorded(recording, interrupted: error), "discard": .discard, "keep": .keep,
            "device": .stored(device), "stored": .stored(nil), "server": .evaluated(server), "finish": .finish(nil),
            "finishLacking": .finish(error), "fail": .fail(error),
            "next": .next(other),
        ]
    }

    private let table: [String: [String: String]] = [
        "viewing": ["record": "recording", "fail": "failed", "next": "viewingOther"],
        "viewingOther": ["next": "viewingOther"],
        "recording": [
            "pause": "paused", "recorded": "reviewing", "cutOff": "cutOff", "discard": "viewing", "fail": "failed",
        ],
        "paused": [
            "resume": "recording", "recorded": "reviewing", "cutOff": "cutOff", "discard": "viewing", "fail": "failed",
        ],
        "reviewing": ["record": "recording", "discard": "viewing", "keep": "waiting", "fail": "failed"],
        "cutOff": ["record": "recording", "discard": "viewing", "keep": "waiting", "fail": "failed"],
        "waiting": [
            "device": "waitingForServer", "stored": "waitingForServerAlone", "server": "serverResult",
            "finish": "emptyResult", "finishLacking": "errorResult", "fail": "failed",
        ],
        "waitingForServer": [
            "device": "waitingForServer", "stored": "waitingForServerAlone", "server": "bothResults",
            "finish": "result", "finishLacking": "resultWithError", "fail": "failed", "next": "viewingOther",
        ],
        "waitingForServerAlone": [
            "device": "waitingForServer", "stored": "waitingForServerAlone", "server": "serverResult",
            "finish": "emptyResult", "finishLacking": "errorResult", "fail": "failed", "next": "viewingOther",
        ],
        "result": ["record": "recording", "next": "viewingOther"],
        "bothResults": ["record": "recording", "next": "viewingOther"],
        "serverResult": ["record": "recording", "next": "viewingOther"],
        "resultWithError": ["record": "recording", "next": "viewingOther"],
        "emptyResult": ["record": "recording", "next": "viewingOther"],
        "errorResult": ["record": "recording", "next": "viewingOther"],
        "failed": ["record": "recording", "discard": "viewing", "next": "viewingOther"],
    ]

    @Test func everyStateAndEvent() throws {
        #expect(Set(table.keys) == Set(states.keys))
        for (stateName, state) in states where stateName != "viewingOther" {
            for (eventName, event) in events {
                let expected = table[stateName]?[eventName].flatMap { states[$0] }
                #expect(state.after(event) == expected, "\(stateName), \(eventName)")
            }
        }
    }
}
