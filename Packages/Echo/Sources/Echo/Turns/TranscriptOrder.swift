// SPDX-License-Identifier: MIT

/// Turns what a voice session says about its items into operations of a `MessageQueue`: a pure state machine.
///
/// Items are placed by what they follow (`previous_item_id`), whenever they are told of; one whose predecessor is not
/// known yet waits for it. The user's messages wait for their transcripts and the assistant's for their ends. Nothing
/// waits longer than its limit: then the message is released as it is, with a reason, and a transcript that comes later
/// still fills it.
///
/// Times are durations since any fixed moment.
struct TranscriptOrder: Sendable {
    let limits: Limits
    /// Items that are waiting for something, by id.
    var items: [String: Item] = [:]
    /// Items that have their positions, waiting or not.
    var placed: Set<String> = []
    /// The items that follow an item without a position.
    var followers: [String: [String]] = [:]
    /// Events about items that were not announced yet.
    var early: [String: Early] = [:]
    /// Messages that were released without their transcripts.
    var unfilled: [String: Filling] = [:]
    /// Counts announced items and early events.
    var counter = 0

    /// An empty conversation.
    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Marks messages that are in the queue already: a session that repeats them adds nothing.
    mutating func know(_ ids: some Sequence<String>) { placed.formUnion(ids) }

    /// True if a message of the user's waits for its transcript.
    var awaitsTranscripts: Bool { items.values.contains { $0.role == .user && !$0.isWhole } }

    /// The time of the next step of ``advance(to:)``.
    var deadline: Duration? {
        (items.values.map(\.deadline) + early.values.map(\.deadline)).min()
    }

    /// Handles an event of the session, and returns the operations to perform.
    mutating func handle(_ event: ServerEvent.Detail, at now: Duration) -> [Transcript.Change] {
        var operations: [Transcript.Change] = []
        switch event {
        case .inputAudioCommitted(let id, let place): announce(id, Item(speech: 1), place, now, &operations)
        case .itemAdded(let item, let place), .itemCreated(let item, let place), .itemDone(let item, let place):
            guard let id = item.id else { break }
            announce(id, Item(item), place, now, &operations)
            if case .itemDone = event { finish(item, now, &operations) }
        case .outputItemDone(let item, _, _): finish(item, now, &operations)
        case .transcriptDelta(let id, let index, let delta, _): append(delta, id, index, now, &operations)
        case .textDelta(let place, let delta), .audioTranscriptDelta(let place, let delta):
            append(delta, place.itemID, place.contentIndex, now, &operations)
            items[place.itemID]?.responseID = place.responseID
        case .textDone(let place, let text), .audioTranscriptDone(let place, let text):
            items[place.itemID]?.parts[place.contentIndex] = text
        case .transcriptCompleted(let transcript): completed(transcript, now, &operations)
        case .transcriptFailed(let id, _, let failure): failed(id, failure.message, now, &operations)
        case .itemTruncated(let id, _, _): items[id]?.isInterrupted = true
        case .itemDeleted(let id): deleted(id, now, &operations)
        case .responseDone(let response): ended(response, now, &operations)
        default: break
        }
        return operations
    }

    /// Releases every item whose time limit has passed.
    mutating func advance(to now: Duration) -> [Transcript.Change] {
        var operations: [Transcript.Change] = []
        for (id, found) in early.filter({ $0.value.deadline <= now }).sorted(by: { $0.value.number < $1.value.number })
        {
            early[id] = nil
            if case .answer(let text, let isInterrupted) = found.news, !placed.contains(id), items[id] == nil {
                var item = Item(role: .assistant, text: text)
                item.isInterrupted = isInterrupted
                announce(id, item, .end, now, &operations)
                complete(id, text, &operations)
            }
        }
        // In the order of announcement, since the item announced first is likelier to precede the others.
        while let (id, item) = items.filter({ $0.value.deadline <= now }).min(by: { $0.value.number < $1.value.number })
        {
            if placed.contains(id) {
                expire(id, item, &operations)
            } else {
                place(id, .end, now, &operations)
            }
        }
        return operations
    }

    /// Ends the session: answers under way are released with the text so far.
    mutating func sessionEnded(at now: Duration) -> [Transcript.Change] {
        var operations: [Transcript.Change] = []
        // The items that they follow were never announced, and a dead session announces none.
        for (id, _) in items.sorted(by: { $0.value.number < $1.value.number }) where !placed.contains(id) {
            place(id, .end, now, &operations)
        }
        for (id, item) in items.sorted(by: { $0.value.number < $1.value.number }) where item.role == .assistant {
            items[id]?.isInterrupted = true
            complete(id, item.text, &operations)
        }
        return operations
    }

    /// Releases everything that waits, with the text so far. Texts that come later still fill the user's messages.
    mutating func releaseAll(at now: Duration) -> [Transcript.Change] {
        var operations = sessionEnded(at: now)
        early = [:]
        while let (id, item) = items.min(by: { $0.value.number < $1.value.number }) {
            expire(id, item, reason: "The transcript has not come yet.", &operations)
        }
        return operations
    }

    /// Inserts the user's speech that is no item of the session yet.
    mutating func expect(_ id: String, _ place: MessagePlace, at now: Duration) -> [Transcript.Change] {
        var operations: [Transcript.Change] = []
        counter += 1
        var item = Item(speech: 1)
        item.number = counter
        items[id] = item
        self.place(id, place, now, &operations)
        return operations
    }
}
