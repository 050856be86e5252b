// SPDX-License-Identifier: MIT

import FoundationEssentials

@testable import Echo
@testable import EchoText

/// What the program's queue of messages makes of a machine's operations, without its task.
struct WorldMessages {
    private(set) var order = MessageOrder()
    private(set) var removed: Set<String> = []
    /// How many messages were released when each was inserted: those it could not precede any more.
    private(set) var releasedBefore: [String: Int] = [:]
    /// Messages that were released, or given a text, after they had been removed: that must not happen.
    private(set) var faults: [String] = []

    var all: [Message] { order.released + order.pending }

    mutating func apply(_ operation: TranscriptOrder.Operation) {
        switch operation {
        case .insert(let id, let role, let text, let status, let place):
            releasedBefore[id] = order.released.count
            if order.knows(id) { faults.append("\(id) was inserted twice") }
            let message = Message(
                id: id, role: role, text: text, transcriptStatus: status, createdAt: Date(timeIntervalSince1970: 0))
            _ = order.insert(message, id: id, at: place)
        case .keepPlace(let id, let place): _ = order.insert(nil, id: id, at: place)
        case .append(let id, let delta):
            let done = order.update(id) { message in
                message.text += delta
                message.transcriptStatus = .inProgress
            }
            if done == nil { faults.append("\(id) does not wait, and gets more text") }
        case .complete(let id, let text, let isInterrupted):
            let done = order.update(id) { message in
                message.text = text
                message.isInterrupted = isInterrupted
                message.transcriptStatus = .completed
            }
            if done == nil { faults.append("\(id) does not wait, and is completed") }
        case .fail(let id, let reason):
            let done = order.update(id) { message in
                message.transcriptFailure = reason
                message.transcriptStatus = .completed
            }
            if done == nil { faults.append("\(id) does not wait, and fails") }
        case .fill(let id, let text):
            if order.fill(id, text) == nil { faults.append("\(id) has nothing to be filled") }
        case .remove(let id):
            removed.insert(id)
            // What was released stays.
            _ = order.remove(id)
        }
    }
}
