// SPDX-License-Identifier: MIT

import Domain
import Localization
import TerminalKit

/// The meaning of keys while somebody practises.
struct PracticeKeys: Sendable {
    /// The request of a key.
    enum Action: Equatable, Sendable {
        /// Sends a command to the use case.
        case command(PractiseCues.Command)
        /// Ends practice.
        case quit
        /// Asks the person to press the key again, since ending would delete a recording.
        case confirmQuit
    }

    /// The state of practice.
    var state: PracticeState
    /// True if the recording plays.
    var isPlaying = false
    private var isQuitting = false

    init(state: PracticeState) { self.state = state }

    /// The request of a key in this state; nil for none.
    mutating func action(for key: Key) -> Action? {
        if key == .end || key == .character("q") {
            defer { isQuitting = true }
            return isQuitting || !wouldLose ? .quit : .confirmQuit
        }
        isQuitting = false
        return command(for: key).map(Action.command)
    }

    private var wouldLose: Bool {
        switch state {
        case .recording, .reviewing: true
        default: false
        }
    }

    private func command(for key: Key) -> PractiseCues.Command? {
        switch (state, key) {
        case (.viewing, .enter), (.viewing, .character("r")), (.failed, .enter), (.failed, .character("r")),
            (.result, .character("r")), (.reviewing, .character("r")):
            .record
        case (.viewing, .character("n")), (.failed, .character("n")), (.result, .character("n")), (.result, .enter),
            (.waiting(_, _, _, isStored: true), .character("n")):
            .next
        case (.recording(_, isPaused: let isPaused), .character(" ")): isPaused ? .resume : .pause
        case (.recording, .enter), (.recording, .character("s")): .stop
        case (.recording, .character("x")), (.reviewing, .character("x")), (.failed, .character("x")): .discard
        case (.reviewing, .character("p")): isPlaying ? .stopPlaying : .play
        case (.reviewing, .enter), (.reviewing, .character("k")): .keep(nil)
        case (.reviewing, .character(let digit)):
            digit.wholeNumberValue.flatMap(ReviewRating.init).map { .keep($0) }
        default: nil
        }
    }

    /// The keys with an action in a state, for the person: "r record  n next".
    static func help(for state: PracticeState, _ translator: Translator) -> KeyHints {
        let space = translator("space")
        let hints: [(String, Meaning)] =
            switch state {
            case .viewing: [("Enter", .record), ("n", .next), ("q", .quit)]
            case .recording(_, isPaused: false): [("Enter", .end), (space, .rest), ("x", .discard)]
            case .recording(_, isPaused: true): [(space, .resume), ("Enter", .end), ("x", .discard)]
            case .reviewing: [("p", .play), ("Enter", .keep), ("r", .again), ("x", .discard), ("1-4", .rate)]
            case .waiting(_, _, _, let isStored): isStored ? [("n", .next)] : []
            case .result: [("Enter", .next), ("r", .again), ("q", .quit)]
            case .failed: [("r", .again), ("n", .next), ("q", .quit)]
            }
        return KeyHints(hints.map { (key: $0, meaning: translator($1.word)) })
    }

    private enum Meaning {
        case record, next, quit, end, rest, resume, discard, play, keep, again, rate

        var word: Sentence {
            switch self {
            case .record: "record"
            case .next: "next"
            case .quit: "quit"
            case .end: "end"
            case .rest: "rest"
            case .resume: "go on"
            case .discard: "throw away"
            case .play: "play"
            case .keep: "keep"
            case .again: "again"
            case .rate: "keep as forgotten…easy"
            }
        }
    }
}
