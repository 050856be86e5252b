// SPDX-License-Identifier: MIT

/// Turns that the program begins and ends, and the assistant's.
extension TurnManager {
    mutating func turnBegins(at now: Duration, _ actions: inout [Action]) {
        guard mode == .manual, !isUserSpeaking else { return }
        cut(&actions)
        isUserSpeaking = true
        turnDeadline = options.longestTurn.map { now + $0 }
        captured = .zero
        actions.append(.clearInput)
        beginUsersTurn(&actions)
    }

    mutating func turnEnds(at now: Duration, _ actions: inout [Action]) {
        switch mode {
        case .automatic:
            // The server reports the item that results.
            guard isUserSpeaking else { return }
            isUserSpeaking = false
            if let doubt { confirm(doubt, at: now, &actions) }
            actions.append(.commitInput)
        case .manual:
            guard isUserSpeaking else { return }
            turnDeadline = nil
            isUserSpeaking = false
            if captured < options.minimumTurn {
                actions += [.clearInput, .tooShort]
                endUsersTurn(&actions)
            } else {
                actions.append(.commitInput)
                endUsersTurn(&actions)
                actions.append(.requestAnswer(items: []))
            }
        case .disabled: actions += [.commitInput, .requestAnswer(items: [])]
        }
    }

    mutating func interrupt(at now: Duration, _ actions: inout [Action]) {
        if let doubt { confirm(doubt, at: now, &actions) } else { cut(&actions) }
    }

    /// Ends the answer that is under way.
    mutating func cut(_ actions: inout [Action]) {
        guard isAnswering else { return }
        isGenerating = false
        isPlaying = false
        actions += [.cutAnswer, .interrupted, .turnEnded(.assistant)]
    }

    mutating func answerGoesOn(isGenerating: Bool, isPlaying: Bool, _ actions: inout [Action]) {
        guard isAnswering else { return }
        self.isGenerating = isGenerating
        self.isPlaying = isPlaying
        if !isAnswering { actions.append(.turnEnded(.assistant)) }
    }

    /// The assistant begins or continues, unless the user is speaking: the user has priority.
    mutating func answerComes(isPlaying: Bool, _ actions: inout [Action]) {
        if !isAnswering { actions.append(.turnBegan(.assistant)) }
        if isPlaying { self.isPlaying = true } else { isGenerating = true }
        if isUserSpeaking, doubt == nil { cut(&actions) }
    }

    mutating func beginUsersTurn(_ actions: inout [Action]) {
        guard !isUsersTurn else { return }
        isUsersTurn = true
        actions.append(.turnBegan(.user))
    }

    mutating func endUsersTurn(_ actions: inout [Action]) {
        guard isUsersTurn else { return }
        isUsersTurn = false
        actions.append(.turnEnded(.user))
    }

    /// Restores the invariants after every step: a turn that expects nothing more is over, and silence is timed.
    mutating func settle(at now: Duration, _ actions: inout [Action]) {
        let doubted = doubt?.items ?? []
        if mode.isAutomatic, !isUserSpeaking || doubt != nil, uncommitted.keys.allSatisfy(doubted.contains) {
            endUsersTurn(&actions)
        }
        let isBusy = isAnswering || isUserSpeaking || isUsersTurn || doubt != nil || mode == .disabled
        if isBusy {
            idleDeadline = nil
            isIdle = false
        } else if !isIdle {
            isIdle = true
            idleDeadline = options.idleTimeout.map { now + $0 }
        }
    }
}
