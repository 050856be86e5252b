// SPDX-License-Identifier: MIT

/// The order of a conversation's messages, and which of them may be released: a pure state machine that says what each
/// operation released.
///
/// One linked list holds all that was ever there, where it belongs, released or not: so what follows a message that came too
/// late for its place still goes before what belongs further down. A message leaves as soon as its text is there and nothing
/// waits before it. Operations take constant time, but for an insertion behind what was released long ago, which passes what
/// has followed it since.
struct MessageOrder {
    private struct Place {
        /// The place behind this one.
        var next: Int?
        var hasLeft = false
    }

    /// All that was released, in the order of release.
    private(set) var released: [Message] = []
    /// Each item's place, in the order of arrival.
    private var places: [Place] = []
    private var indices: [String: Int] = [:]
    /// The messages that wait. A place that waits without one is kept for an item which is no message.
    private var waiting: [Int: Message] = [:]
    private var head: Int?
    private var tail: Int?
    /// The first place that has not left.
    private var first: Int?

    /// True if a message or item of that name was ever there.
    func knows(_ id: String) -> Bool { indices[id] != nil }

    /// The waiting messages in order, numbered as they would be if nothing came between.
    var pending: [Message] {
        var messages: [Message] = []
        var place = first
        while let current = place {
            if var message = waiting[current] {
                message.sequenceNumber = released.count + messages.count + 1
                messages.append(message)
            }
            place = places[current].next
        }
        return messages
    }

    /// A message that waits.
    func pendingMessage(_ id: String) -> Message? { indices[id].flatMap { waiting[$0] } }

    /// Puts a message (or, with `nil`, only a place) where it belongs.
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
        // It is the first that waits if what followed it was, or if nothing waits at all.
        let followsReleased = previous.map { places[$0].hasLeft } ?? true
        if followsReleased, firstWaiting(from: places[index].next) == first { first = index }
        return release()
    }

    private func firstWaiting(from place: Int?) -> Int? {
        var place = place
        while let current = place, places[current].hasLeft { place = places[current].next }
        return place
    }

    /// Changes a message that waits.
    ///
    /// - Returns: What that released; `nil` if no such message waits.
    mutating func update(_ id: String, _ change: (inout Message) -> Void) -> [Message]? {
        // Taken out meanwhile, so that a text grows in place, however many pieces it comes in.
        guard let index = indices[id], var message = waiting[index].take() else { return nil }
        change(&message)
        waiting[index] = message
        return message.transcriptStatus.isReady ? release() : []
    }

    /// Takes out a message that waits. Its place stays known.
    ///
    /// - Returns: What that released; `nil` if no such message waits.
    mutating func remove(_ id: String) -> [Message]? {
        guard let index = indices[id], waiting.removeValue(forKey: index) != nil else { return nil }
        return release()
    }

    /// Completes a message whose text had been given up, released or not. Takes as long as it is far from the end.
    ///
    /// - Returns: The message; `nil` if there is no such message.
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
                message.sequenceNumber = released.count + 1
                released.append(message)
                ready.append(message)
            }
            first = firstWaiting(from: places[index].next)
        }
        return ready
    }
}
