// SPDX-License-Identifier: MIT

package import FoundationEssentials

extension Transcript {
    /// A change to the record. A voice conversation's machine says what has happened to its items by changes.
    package enum Change: Sendable, Hashable {
        /// Insert a message at that position.
        case insert(id: String, role: MessageRole, text: String, status: TranscriptStatus, at: MessagePlace)
        /// Keep a position for an item that is not a message.
        case keepPlace(id: String, at: MessagePlace)
        /// Set the item whose position was kept, now that it is whole: a call of a tool, or its result.
        case set(id: String, ResponseItem)
        /// Append to a message that waits.
        case append(id: String, delta: String)
        /// Complete a message with that text.
        case complete(id: String, text: String, isInterrupted: Bool)
        /// Release a message whose text is not expected any more.
        case fail(id: String, reason: String)
        /// Set the text of a message that was released without one.
        case fill(id: String, text: String)
        /// Remove a message that was not released, or an item that is not a message.
        case remove(id: String)
    }

    /// The effect of a change.
    package struct Effect: Sendable {
        /// The messages that it released, in order.
        package var released: [Message]
        /// The message whose text is complete now.
        package var completed: Message?
        /// The message that has its text now, although it had been given up.
        package var filled: Message?
    }

    /// Applies a change.
    ///
    /// - Returns: Its effect; `nil` if nothing with that id was there to be changed.
    package mutating func apply(_ change: Change, createdAt: @autoclosure () -> Date) -> Effect? {
        switch change {
        case .insert(let id, let role, let text, let status, let place):
            guard !knows(id) else { return nil }
            let message = Message(id: id, role: role, text: text, transcriptStatus: status, createdAt: createdAt())
            return Effect(released: insert(message, at: place))
        case .keepPlace(let id, let place):
            guard !knows(id) else { return nil }
            return Effect(released: insert(.place, id: id, at: place))
        case .set(let id, let item):
            set(id, item)
            return Effect(released: [])
        case .append(let id, let delta):
            return update(id) { message in
                message.text += delta
                message.transcriptStatus = .inProgress
            }.map { Effect(released: $0) }
        case .complete(let id, let text, let isInterrupted):
            return complete(id) { message in
                message.text = text
                message.isInterrupted = isInterrupted
            }
        case .fail(let id, let reason): return complete(id) { $0.transcriptFailure = reason }
        case .fill(let id, let text): return fill(id, text).map { Effect(released: [], filled: $0) }
        case .remove(let id): return remove(id).map { Effect(released: $0) }
        }
    }

    /// Completes a waiting message.
    mutating func complete(_ id: String, _ change: (inout Message) -> Void) -> Effect? {
        let released = update(id) { message in
            change(&message)
            message.transcriptStatus = .completed
        }
        return released.map { Effect(released: $0, completed: message(id)) }
    }
}
