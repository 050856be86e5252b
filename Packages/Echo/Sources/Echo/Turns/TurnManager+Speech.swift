// SPDX-License-Identifier: MIT

/// Turns that the voice activity detection finds.
extension TurnManager {
    mutating func speechStarted(_ id: String, at now: Duration, _ actions: inout [Action]) {
        guard mode.isAutomatic else { return }
        isUserSpeaking = true
        uncommitted[id] = .some(nil)
        if doubt != nil {
            if doubt?.items.contains(id) != true { doubt?.items.append(id) }
            doubt?.isSpeaking = true
            doubt?.deadline = now + options.certainInterruption
        } else if isAnswering {
            actions.append(.pausePlayback)
            let doubt = Doubt(items: [id], deadline: now + options.certainInterruption)
            if options.resumesAnswers { self.doubt = doubt } else { confirm(doubt, at: now, &actions) }
        } else {
            beginUsersTurn(&actions)
        }
    }

    mutating func speechStopped(_ id: String, at now: Duration) {
        guard mode.isAutomatic, isUserSpeaking else { return }
        isUserSpeaking = false
        for id in uncommitted.keys where uncommitted[id] == .some(nil) { uncommitted[id] = now + options.commit }
        guard doubt != nil else { return }
        doubt?.isSpeaking = false
        doubt?.deadline = now + options.falseInterruption
    }

    mutating func committed(_ id: String, at now: Duration, _ actions: inout [Action]) {
        // The program's own turns are answered when they end, not when the server commits them.
        guard mode.isAutomatic, !answered.contains(id) else { return }
        uncommitted[id] = nil
        if noise.contains(id) {
            actions.append(.deleteItem(id: id))
            return
        }
        if doubt?.items.contains(id) == true {
            if doubt?.committed.contains(id) != true { doubt?.committed.append(id) }
            return
        }
        answer([id], &actions)
    }

    mutating func heard(
        _ text: String, of id: String, isWhole: Bool, at now: Duration, _ actions: inout [Action]
    ) {
        let isSpeech = text.contains { $0.isLetter || $0.isNumber }
        if let doubt, doubt.items.contains(id) {
            if isSpeech {
                confirm(doubt, at: now, &actions)
            } else if isWhole, doubt.items != [id] {
                // Later speech may still be an interruption; this item needs no answer.
                self.doubt?.items.removeAll { $0 == id }
                self.doubt?.committed.removeAll { $0 == id }
                dismiss([id], of: doubt, &actions)
            } else if isWhole, !doubt.isSpeaking {
                reject(doubt, deletes: true, &actions)
            }
        } else if isWhole, isSpeech, let index = noise.firstIndex(of: id) {
            noise.remove(at: index)
            if let doubt { confirm(doubt, at: now, &actions) } else { cut(&actions) }
            actions.append(.restoreItem(id: id, text: text))
            answer([id], &actions)
        }
    }

    /// Treats committed sound as speech: its transcript may never arrive from a session that is over.
    mutating func believe(at now: Duration, _ actions: inout [Action]) {
        if let doubt, !doubt.committed.isEmpty { confirm(doubt, at: now, &actions) }
    }

    mutating func confirm(_ doubt: Doubt, at now: Duration, _ actions: inout [Action]) {
        self.doubt = nil
        // An answer that had ended by itself has nothing left to resume.
        if isAnswering { cut(&actions) } else { actions.append(.resumePlayback) }
        beginUsersTurn(&actions)
        if !doubt.committed.isEmpty { answer(doubt.committed, &actions) }
    }

    /// Resumes the answer where it stopped.
    mutating func reject(_ doubt: Doubt, deletes: Bool, _ actions: inout [Action]) {
        self.doubt = nil
        if deletes { dismiss(doubt.items, of: doubt, &actions) }
        actions.append(.resumePlayback)
    }

    /// Marks items as noise.
    private mutating func dismiss(_ items: [String], of doubt: Doubt, _ actions: inout [Action]) {
        for id in items {
            remember(id, in: &noise)
            uncommitted[id] = nil
            if doubt.committed.contains(id) { actions.append(.deleteItem(id: id)) }
        }
    }

    private mutating func answer(_ items: [String], _ actions: inout [Action]) {
        for id in items { remember(id, in: &answered) }
        if !isUserSpeaking, uncommitted.isEmpty { endUsersTurn(&actions) }
        if case .automatic(let configuration) = mode, configuration.createsResponse { return }
        actions.append(.requestAnswer(items: items))
    }

    private func remember(_ id: String, in list: inout [String]) {
        list.append(id)
        if list.count > 64 { list.removeFirst() }
    }
}
