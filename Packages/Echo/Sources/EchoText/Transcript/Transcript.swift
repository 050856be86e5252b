// SPDX-License-Identifier: MIT

/// The ordered record of a conversation in every mode: messages, calls of tools, and their results. A pure value.
///
/// One linked list holds all items at their positions, released or not: so items that follow a message that arrived too
/// late for its position still precede later ones. A message is released as soon as its text is complete and no message
/// waits before it. Operations take constant time, except an insertion after a message that was released long ago,
/// which passes the items that have followed it since.
///
/// Derived from it are the order of the messages (``released``, ``pending``), the input of a request
/// (``history(after:)``), and what a voice session is given (``items``).
package struct Transcript: Sendable {
    enum Content: Sendable {
        /// A position that is kept for an item that is not a message, or whose message was removed.
        case place
        /// A message that waits for its text, or for others.
        case waiting(Message)
        /// A message, by its index in ``Transcript/released``.
        case released(Int)
        /// An item that is not a message of a person's or a model's words.
        case item(ResponseItem)
    }

    struct Entry: Sendable {
        var id: String
        var content: Content
        /// The next entry in the order.
        var next: Int?
        var hasLeft = false
        /// A message with more than its text, such as a picture.
        var original: MessageItem?
        /// The estimated size in tokens, once it was needed.
        var cost: Int?
    }

    /// All released messages, in the order of release.
    package private(set) var released: [Message] = []
    /// The entries in the order of arrival.
    private(set) var entries: [Entry] = []
    private var indices: [String: Int] = [:]
    private(set) var head: Int?
    private var tail: Int?
    /// The first entry that was not released.
    private var first: Int?
    /// Counts the changes to what stands before the end.
    private var revision = 0

    package init() {}

    /// True if a message or item with that id was ever inserted.
    package func knows(_ id: String) -> Bool { indices[id] != nil }

    /// The waiting messages in order, numbered as they would be if nothing came between.
    package var pending: [Message] {
        var messages: [Message] = []
        var index = first
        while let current = index {
            if case .waiting(var message) = entries[current].content {
                message.sequenceNumber = released.count + messages.count
                messages.append(message)
            }
            index = entries[current].next
        }
        return messages
    }

    /// The message with that id.
    package func message(_ id: String) -> Message? {
        guard let index = indices[id] else { return nil }
        return switch entries[index].content {
        case .waiting(let message): message
        case .released(let number): released[number]
        case .place, .item: nil
        }
    }

    /// Inserts a message at its position.
    ///
    /// - Returns: The messages that this released.
    package mutating func insert(_ message: Message, at place: MessagePlace) -> [Message] {
        insert(.waiting(message), id: message.id, at: place)
    }

    /// Inserts an entry. One with an id that was used before is not inserted.
    ///
    /// - Returns: The messages that this released.
    @discardableResult
    mutating func insert(_ content: Content, id: String?, at place: MessagePlace) -> [Message] {
        let id = id ?? "\u{0}\(entries.count)"
        guard !knows(id) else { return [] }
        let previous: Int? =
            switch place {
            case .end: tail
            case .beginning: nil
            case .after(let other): indices[other] ?? tail
            }
        return insert(content, id, after: previous)
    }

    mutating func insert(_ content: Content, _ id: String, after previous: Int?) -> [Message] {
        let index = entries.count
        entries.append(Entry(id: id, content: content, next: previous.map { entries[$0].next } ?? head))
        indices[id] = index
        if let previous { entries[previous].next = index } else { head = index }
        if previous == tail { tail = index } else { revision += 1 }
        // It becomes the first if the next waiting item was, or if nothing waits at all.
        let followsReleased = previous.map { entries[$0].hasLeft } ?? true
        if followsReleased, firstWaiting(from: entries[index].next) == first { first = index }
        return release()
    }

    private func firstWaiting(from index: Int?) -> Int? {
        var index = index
        while let current = index, entries[current].hasLeft { index = entries[current].next }
        return index
    }

    /// Changes a waiting message.
    ///
    /// - Returns: The messages that this released; `nil` if no message with that id waits.
    package mutating func update(_ id: String, _ change: (inout Message) -> Void) -> [Message]? {
        guard let index = indices[id], case .waiting(var message) = entries[index].content else { return nil }
        // Removed meanwhile, so that a text grows in place, however many pieces it has.
        entries[index].content = .place
        change(&message)
        entries[index].content = .waiting(message)
        entries[index].cost = nil
        return message.transcriptStatus.isReady ? release() : []
    }

    /// Removes a waiting message, or an item that is not a message. Its position stays known. A message that was
    /// released stays among the messages, and is no item any more.
    ///
    /// - Returns: The messages that this released; `nil` if nothing with that id waits.
    package mutating func remove(_ id: String) -> [Message]? {
        guard let index = indices[id] else { return nil }
        switch entries[index].content {
        case .place: return nil
        case .released:
            entries[index].content = .place
            revision += 1
            return nil
        case .waiting, .item:
            entries[index].content = .place
            revision += 1
            return release()
        }
    }

    /// Sets the item at a position that was kept for it.
    mutating func set(_ id: String, _ item: ResponseItem) {
        guard let index = indices[id], case .place = entries[index].content else { return }
        entries[index].content = .item(item)
        revision += 1
    }

    /// Notes what a message has besides its text.
    mutating func keep(_ original: MessageItem, as id: String) {
        if let index = indices[id] { entries[index].original = original }
    }

    /// Completes a message whose text had been given up, released or not.
    ///
    /// - Returns: The message; `nil` if no such message has a failed transcript.
    package mutating func fill(_ id: String, _ transcript: String) -> Message? {
        guard let index = indices[id], var message = message(id), message.transcriptFailure != nil else { return nil }
        message.text = transcript
        message.transcriptFailure = nil
        if case .released(let number) = entries[index].content {
            released[number] = message
        } else {
            entries[index].content = .waiting(message)
        }
        entries[index].cost = nil
        revision += 1
        return message
    }

    private mutating func release() -> [Message] {
        var ready: [Message] = []
        while let index = first {
            if case .waiting(var message) = entries[index].content {
                guard message.transcriptStatus.isReady else { break }
                message.sequenceNumber = released.count
                entries[index].content = .released(released.count)
                released.append(message)
                ready.append(message)
            }
            entries[index].hasLeft = true
            first = firstWaiting(from: entries[index].next)
        }
        return ready
    }

    // MARK: Reading from a position on

    /// The end of the conversation at some time.
    struct Mark: Sendable, Hashable {
        fileprivate var last: Int?
        fileprivate var revision: Int
    }

    /// The end of the conversation.
    var end: Mark { Mark(last: tail, revision: revision) }

    /// The index of the last entry up to that end; `nil` if what stands before it has changed since.
    func index(of mark: Mark) -> Int? { mark.revision == revision ? mark.last : nil }

    mutating func setCost(_ cost: Int, at index: Int) { entries[index].cost = cost }

    func index(of id: String) -> Int? { indices[id] }
}
