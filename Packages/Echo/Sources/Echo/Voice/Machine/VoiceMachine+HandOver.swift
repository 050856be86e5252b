// SPDX-License-Identifier: MIT

/// The end of a voice conversation that another engine continues.
extension VoiceMachine {
    /// The words that the user spoke before another engine continued, and that have not come yet.
    struct LateWords: Sendable {
        /// Messages that were released without their words.
        var awaited: Set<String> = []
        /// Ids of ours for turns to which the session will give others, in order.
        var unnamed: ArraySlice<String> = []
        /// Our ids of those turns by the session's.
        var names: [String: String] = [:]
        /// The command that is done when no words are awaited, and its limit.
        var command: (number: Int, deadline: Duration)?
    }

    /// Releases all messages, and gives each turn that is no item yet its position, by the session's id if it has
    /// announced one. To the program the session ends here.
    mutating func handOver(at now: Duration) {
        guard late == nil else { return }
        var words = LateWords()
        var announced = turns.uncommittedNames.filter { !history.known.contains($0) }[...]
        for position in history.unnamed {
            let name = announced.popFirst() ?? nextName("turn")
            if !turns.uncommittedNames.contains(name) { words.unnamed.append(name) }
            performOrder(order.expect(name, .after(position), at: now))
        }
        for name in announced { performOrder(order.expect(name, .end, at: now)) }
        let before = Set(order.unfilled.keys)
        releaseMessages(at: now)
        words.awaited = Set(order.unfilled.keys).subtracting(before)
        emit(.connectionStatusChanged(.disconnected))
        late = words
    }

    /// Handles an event of the session after ``handOver(at:)``.
    mutating func receiveLate(_ detail: ServerEvent.Detail, at now: Duration) {
        switch detail {
        case .inputAudioCommitted(let id, _): name(id)
        case .itemAdded(.message(let message), _), .itemCreated(.message(let message), _):
            if message.role == .user, let id = message.id { name(id) }
        case .transcriptCompleted(var transcript):
            if let usage = transcript.usage { actions.append(.count(.transcript(usage, itemID: transcript.itemID))) }
            transcript.itemID = late?.names[transcript.itemID] ?? transcript.itemID
            let changes = order.handle(.transcriptCompleted(transcript), at: now)
            guard !changes.isEmpty else { return }
            change(changes)
            late?.awaited.remove(transcript.itemID)
            if late?.awaited.isEmpty == true { finishLateWords() }
        case .responseDone(let response):
            if let usage = response.usage { actions.append(.count(.answer(usage, responseID: response.id))) }
        default: break
        }
    }

    /// Notes the session's id of a turn to which we have given one.
    private mutating func name(_ id: String) {
        guard !order.placed.contains(id), late?.names[id] == nil, let name = late?.unnamed.popFirst() else { return }
        late?.names[id] = name
    }

    mutating func awaitLateWords(_ number: Int, within time: Duration, at now: Duration) {
        finishLateWords()
        guard late?.awaited.isEmpty == false else { return actions.append(.done(number, nil)) }
        late?.command = (number, now + time)
    }

    mutating func finishLateWords() {
        guard let command = late?.command else { return }
        late?.command = nil
        actions.append(.done(command.number, nil))
    }
}
