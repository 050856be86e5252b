// SPDX-License-Identifier: MIT

/// The order of a conversation's messages, and their release: a pure state machine that returns the messages that each
/// operation released.
///
/// One linked list holds all items at their positions, released or not: so items that follow a message that arrived too
/// late for its position still precede later ones. A message is released as soon as its text is complete and no item
/// waits before it. Operations take constant time, except an insertion after a message that was released long ago,
/// which passes the items that have followed it since.
struct MessageOrder {
    private struct Place {
        /// The next place in the order.
        var next: Int?
        var hasLeft = false
    }

    /// All released messages, in the order of release.
    private(set) var released: [Message] = []
    /// Each item's place, in the order of arrival.
    private var places: [Place] = []
    private var indices: [String: Int] = [:]
    /// The messages that wait. A place without one is kept for an item that is not a message.
    private var waiting: [Int: Message] = [:]
    private var head: Int?
    private var tail: Int?
    /// The first place that was not released.
    private var first: Int?

    /// True if a message or item with that id was ever inserted.
    func knows(_ id: String) -> Bool { indices[id] != nil }

    /// The waiting messages in order, numbered as they would be if nothing came between.
    var pending: [Message] {
        var messages: [Message] = []
        var place = first
        while let current = place {
            if var message = waiting[current] {
                message.sequenceNumber = released.count + messages.count
                messages.append(message)
            }
            place = places[current].next
        }
        return messages
    }

    /// The waiting message with that id.
    func pendingMessage(_ id: String) -> Message? { indices[id].flatMap { waiting[$0] } }

    /// Inserts a message (or, with `nil`, only a place) at its position. Returns the messages that this released.
    mutating func insert(_ message: Message?, id: String, at place: MessagePlace) -> [Message] {
        guard !knows(id) else { return [] }
        let previous: Int? =
            switch place {
            case .end: tail
            case .beginning: nil
            case .after(let other): indices[other] ?? tail
            }
        let index = places.count
        places.append(Place(next: previous.map { places[$0].next } ?? head))
        indices[id] = index
        waiting[index] = message
        if let previous { places[previous].next = index } else { head = index }
        if previous == tail { tail = index }
        // It becomes the first if the next waiting item was, or if nothing waits at all.
        let followsReleased = previous.map { places[$0].hasLeft } ?? true
        if followsReleased, firstWaiting(from: places[index].next) == first { first = index }
        return release()
    }

    private func firstWaiting(from place: Int?) -> Int? {
        var place = place
        while let current = place, places[current].hasLeft { place = places[current].next }
        return place
    }

    /// Changes a waiting message.
    ///
    /// - Returns: The messages that this released; `nil` if no message with that id waits.
    mutating func update(_ id: String, _ change: (inout Message) -> Void) -> [Message]? {
        // Removed meanwhile, so that a text grows in place, however many pieces it has.
        guard let index = indices[id], var message = waiting[index].take() else { return nil }
        change(&message)
        waiting[index] = message
        return message.transcriptStatus.isReady ? release() : []
    }

    /// Removes a waiting message. Its place stays known.
    ///
    /// - Returns: The messages that this released; `nil` if no message with that id waits.
    mutating func remove(_ id: String) -> [Message]? {
        guard let index = indices[id], waiting.removeValue(forKey: index) != nil else { return nil }
        return release()
    }

    /// Completes a message whose text had been given up, released or not. Takes time in proportion to its distance from
    /// the end.
    ///
    /// - Returns: The message; `nil` if no such message has a failed transcript.
    mutating func fill(_ id: String, _ transcript: String) -> Message? {
        func fill(_ message: inout Message) -> Message? {
            guard message.transcriptFailure != nil else { return nil }
            message.text = transcript
            message.transcriptFailure = nil
            return message
        }
        guard let index = indices[id] else { return nil }
        if var message = waiting[index] {
            let filled = fill(&message)
            waiting[index] = message
            return filled
        }
        guard let index = released.lastIndex(where: { $0.id == id }) else { return nil }
        return fill(&released[index])
    }

    private mutating func release() -> [Message] {
        var ready: [Message] = []
        while let index = first, waiting[index]?.transcriptStatus.isReady ?? true {
            places[index].hasLeft = true
            if var message = waiting.removeValue(forKey: index) {
                message.sequenceNumber = released.count
                released.append(message)
                ready.append(message)
            }
            first = firstWaiting(from: places[index].next)
        }
        return ready
    }
}
