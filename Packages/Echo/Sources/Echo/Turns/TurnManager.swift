// SPDX-License-Identifier: MIT

/// Decides the turns of a voice conversation from what is heard: a pure state machine.
///
/// When speech begins while the assistant speaks, playback pauses at once, in the same step. Whether it is an
/// interruption shows later: by a word of its transcript, or by lasting longer than a cough. Then the answer is cut to what was
/// heard. If no word comes in time, the answer goes on where it stopped, and the noise is taken out of the conversation; a
/// transcript that comes even later brings the turn back.
///
/// Times are durations since any fixed moment.
public struct TurnManager: Sendable {
    /// The rule that ends the user's turn.
    let mode: TurnDetection
    let options: Options
    /// True if the user is speaking, or holding the button.
    var isUserSpeaking = false
    var isUsersTurn = false
    /// The duration of the sound that was sent in a turn that the program began.
    var captured = Duration.zero
    var isGenerating = false
    var isPlaying = false
    /// Speech over an answer, until it is clear that it does or does not interrupt.
    var doubt: Doubt?
    /// Items that were judged to be noise, the latest last.
    var noise: [String] = []
    /// Items for which an answer was requested.
    var answered: [String] = []
    /// Speech that became no item yet, and the time limit of the wait for it; `nil` while the speech lasts.
    var uncommitted: [String: Duration?] = [:]
    var idleDeadline: Duration?
    /// The time limit of the turn that the program began.
    var turnDeadline: Duration?
    var isIdle = false

    /// An empty conversation.
    init(mode: TurnDetection, options: Options = Options()) {
        self.mode = mode
        self.options = options
    }

    /// True if the assistant is answering: thinking, speaking, or paused.
    var isAnswering: Bool { isGenerating || isPlaying }

    /// True while playback is held because an interruption is uncertain.
    var isPaused: Bool { doubt != nil }

    /// The ids in ``uncommitted``, in the order in which the speech ended.
    var uncommittedNames: [String] {
        uncommitted.sorted { ($0.value ?? .seconds(1 << 40), $0.key) < ($1.value ?? .seconds(1 << 40), $1.key) }
            .map(\.key)
    }

    /// The time of the next step of ``advance(to:)``.
    var deadline: Duration? {
        ([doubt?.deadline, idleDeadline, turnDeadline] + uncommitted.values).compactMap { $0 }.min()
    }

    /// Handles an event, and returns the actions to perform.
    mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .speechStarted(let id): speechStarted(id, at: now, &actions)
        case .speechStopped(let id): speechStopped(id, at: now)
        case .committed(let id): committed(id, at: now, &actions)
        case .transcriptPiece(let id, let text): heard(text, of: id, isWhole: false, at: now, &actions)
        case .transcriptEnded(let id, let text): heard(text ?? "", of: id, isWhole: true, at: now, &actions)
        case .turnBegins: turnBegins(at: now, &actions)
        case .captured(let duration): if isUserSpeaking { captured += duration }
        case .turnEnds: turnEnds(at: now, &actions)
        case .answerStarted: answerComes(isPlaying: false, &actions)
        case .answerQueued: answerComes(isPlaying: true, &actions)
        case .answerEnded: answerGoesOn(isGenerating: false, isPlaying: isPlaying, &actions)
        case .playbackFinished:
            // A paused device is not finished, whatever it reports.
            if doubt == nil { answerGoesOn(isGenerating: isGenerating, isPlaying: false, &actions) }
        case .interrupt: interrupt(at: now, &actions)
        case .sessionLost: believe(at: now, &actions)
        case .sessionReplaced(let keepsAnswer):
            believe(at: now, &actions)
            if let doubt { reject(doubt, deletes: false, &actions) }
            if mode.isAutomatic {
                // The new session hears the rest of the speech, and reports it.
                isUserSpeaking = false
                uncommitted = [:]
            }
            if !keepsAnswer { answerGoesOn(isGenerating: false, isPlaying: isPlaying, &actions) }
        }
        settle(at: now, &actions)
        return actions
    }

    /// Decides every case whose time limit has passed.
    mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        if let doubt, doubt.deadline <= now {
            if doubt.isSpeaking { confirm(doubt, at: now, &actions) } else { reject(doubt, deletes: true, &actions) }
        }
        if let idleDeadline, idleDeadline <= now {
            self.idleDeadline = nil
            actions.append(.idleTimedOut)
        }
        if let turnDeadline, turnDeadline <= now {
            actions.append(.timedOut)
            turnEnds(at: now, &actions)
        }
        uncommitted = uncommitted.filter { $0.value.map { $0 > now } ?? true }
        settle(at: now, &actions)
        return actions
    }
}

extension TurnDetection {
    var isAutomatic: Bool { if case .automatic = self { true } else { false } }
    /// True if the server answers speech by itself.
    var createsResponse: Bool { if case .automatic(let detection) = self { detection.createsResponse } else { false } }
}
