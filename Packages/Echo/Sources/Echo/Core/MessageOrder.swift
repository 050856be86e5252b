// SPDX-License-Identifier: MIT

/// The order of a conversation's messages, and which of them may be released: a pure state machine, each operation of
/// which takes constant time, and says what it released.
///
/// What waits is a doubly linked list in the conversation's order. A message leaves at its head, as soon as its text is there.
struct MessageOrder {
    private struct Node {
        /// `nil` for an item that only keeps a place.
        var message: Message?
        var previous: String?
        var next: String?
        /// Twice the number of those that had left before the place where it belongs, and one more where it only came after
        /// them and does not follow the last of them.
        var rank: Int
    }

    /// All that was released, in order.
    private(set) var released: [Message] = []
    private var waiting: [String: Node] = [:]
    /// What has left, and how many had left then, itself included.
    private var gone: [String: Int] = [:]
    private var first: String?
    private var last: String?

    /// Whether a message or item of that name was ever there.
    func knows(_ id: String) -> Bool { waiting[id] != nil || gone[id] != nil }

    /// What waits, in order, numbered as it would be if nothing came between.
    var pending: [Message] {
        var messages: [Message] = []
        var id = first
        while let current = id, let node = waiting[current] {
            if var message = node.message {
                message.sequenceNumber = released.count + messages.count + 1
                messages.append(message)
            }
            id = node.next
        }
        return messages
    }

    /// A message that waits.
    func pendingMessage(_ id: String) -> Message? { waiting[id]?.message }

    /// Puts a message (or, with `nil`, only a place) where it belongs.
    mutating func insert(_ message: Message?, id: String, at place: MessagePlace) -> [Message] {
        guard !knows(id) else { return [] }
        let previous: String? =
            switch place {
            case .end: last
            case .beginning: nil
            case .after(let other):
                if waiting[other] != nil {
                    other
                } else if let rank = gone[other] {
                    lastBelonging(upTo: rank * 2)
                } else {
                    last
                }
            }
        let rank =
            switch place {
            case .end: gone.count * 2 + 1
            case .beginning: 0
            case .after(let other): waiting[other]?.rank ?? gone[other].map { $0 * 2 } ?? gone.count * 2 + 1
            }
        let next = previous.map { waiting[$0]?.next } ?? first
        waiting[id] = Node(message: message, previous: previous, next: next, rank: rank)
        if let previous { waiting[previous]?.next = id } else { first = id }
        if let next { waiting[next]?.previous = id } else { last = id }
        return release()
    }

    /// The last of those that wait at the head and belong there, too, or further up, among what has left: they come first.
    private func lastBelonging(upTo rank: Int) -> String? {
        var last: String?
        var id = first
        var reached = 0
        while let current = id, let node = waiting[current] {
            reached = max(reached, node.rank)
            guard reached <= rank else { break }
            (last, id) = (current, node.next)
        }
        return last
    }

    /// Changes a message that waits.
    ///
    /// - Returns: What that released; `nil` if no such message waits.
    mutating func update(_ id: String, _ change: (inout Message) -> Void) -> [Message]? {
        // Taken out meanwhile, so that a text grows in place, however many pieces it comes in.
        guard var message = waiting[id]?.message.take() else { return nil }
        change(&message)
        waiting[id]?.message = message
        return message.transcriptStatus.isReady ? release() : []
    }

    /// Takes out a message that waits. Its place stays known.
    ///
    /// - Returns: What that released; `nil` if no such message waits.
    mutating func remove(_ id: String) -> [Message]? {
        guard waiting[id]?.message != nil else { return nil }
        waiting[id]?.message = nil
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
        if var message = waiting[id]?.message {
            let filled = fill(&message)
            waiting[id]?.message = message
            return filled
        }
        guard let index = released.lastIndex(where: { $0.id == id }) else { return nil }
        return fill(&released[index])
    }

    private mutating func release() -> [Message] {
        var ready: [Message] = []
        while let id = first, let node = waiting[id], node.message?.transcriptStatus.isReady ?? true {
            waiting[id] = nil
            first = node.next
            if let next = node.next { waiting[next]?.previous = nil } else { last = nil }
            if var message = node.message {
                message.sequenceNumber = released.count + 1
                released.append(message)
                ready.append(message)
            }
            gone[id] = gone.count + 1
            if let next = node.next, let rank = waiting[next]?.rank {
                waiting[next]?.rank = max(rank, gone.count * 2 + 1)
            }
        }
        return ready
    }
}
