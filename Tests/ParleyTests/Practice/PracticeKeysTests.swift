// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@testable import parley

@Suite struct PracticeKeysTests {
    private let cue: Cue
    private let recording: Recording

    init() throws {
        cue = try CueSamples.cue("one")
        recording = Recording(
            cue: cue.id, createdAt: Date(timeIntervalSince1970: 0), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: 1, contentHash: "")
    }

    private func command(_ state: PracticeState, _ key: Key) -> PracticeKeys.Action? {
        var keys = PracticeKeys(state: state)
        return keys.action(for: key)
    }

    @Test func eachKeyMeansWhatTheStateMakesOfIt() {
        let reviewing = PracticeState.reviewing(cue, recording, interrupted: nil)
        let result = PracticeState.result(cue, recording, [], nil)
        let table: [(PracticeState, Key, PracticeKeys.Action?)] = [
            (.viewing(cue), .enter, .command(.record)), (.viewing(cue), .character("r"), .command(.record)),
            (.viewing(cue), .character("n"), .command(.next)), (.viewing(cue), .character("k"), nil),
            (.recording(cue, isPaused: false), .enter, .command(.stop)),
            (.recording(cue, isPaused: false), .character(" "), .command(.pause)),
            (.recording(cue, isPaused: true), .character(" "), .command(.resume)),
            (.recording(cue, isPaused: true), .character("x"), .command(.discard)),
            (.recording(cue, isPaused: false), .character("n"), nil),
            (reviewing, .character("p"), .command(.play)), (reviewing, .enter, .command(.keep(nil))),
            (reviewing, .character("1"), .command(.keep(.again))), (reviewing, .character("4"), .command(.keep(.easy))),
            (reviewing, .character("5"), nil), (reviewing, .character("r"), .command(.record)),
            (reviewing, .character("x"), .command(.discard)), (result, .enter, .command(.next)),
            (.waiting(cue, recording, nil, isStored: true), .character("n"), .command(.next)),
            (.waiting(cue, recording, nil, isStored: true), .enter, nil),
            (.waiting(cue, recording, nil, isStored: false), .character("n"), nil),
            (.failed(cue, .signInNeeded), .enter, .command(.record)),
        ]
        for (state, key, action) in table { #expect(command(state, key) == action, "\(state) \(key)") }
    }

    @Test func whatPlaysIsStoppedByTheSameKey() {
        var keys = PracticeKeys(state: .reviewing(cue, recording, interrupted: nil))
        keys.isPlaying = true
        #expect(keys.action(for: .character("p")) == .command(.stopPlaying))
    }

    @Test func whatWouldBeLostIsAskedForTwice() {
        for state in [PracticeState.recording(cue, isPaused: false), .reviewing(cue, recording, interrupted: nil)] {
            var keys = PracticeKeys(state: state)
            #expect(keys.action(for: .character("q")) == .confirmQuit)
            #expect(keys.action(for: .character("q")) == .quit)
            keys = PracticeKeys(state: state)
            #expect(keys.action(for: .end) == .confirmQuit)
            _ = keys.action(for: .character("z"))
            #expect(keys.action(for: .end) == .confirmQuit, "another key was pressed between")
        }
        #expect(command(.viewing(cue), .character("q")) == .quit)
        #expect(command(.waiting(cue, recording, nil, isStored: false), .end) == .quit)
    }

    @Test func bytesBecomeKeys() {
        #expect(KeyInput.keys(of: Array("rN\r".utf8)) == [.character("r"), .character("n"), .enter])
        #expect(KeyInput.keys(of: [4]) == [.end])
        #expect(KeyInput.keys(of: Array("\u{1B}[A".utf8)).isEmpty, "an arrow is not a letter")
        #expect(KeyInput.keys(of: Array(" \t".utf8)) == [.character(" ")])
        #expect(KeyInput.keys(of: [0xFF]) == [.character("\u{FFFD}")])
        #expect(KeyInput.key(of: "Record") == .character("r"))
        #expect(KeyInput.key(of: "") == .enter)
    }
}
