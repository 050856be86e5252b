// SPDX-License-Identifier: MIT

import FoundationEssentials

@testable import Echo
@testable import EchoText

/// The transcript that a machine's changes make.
struct WorldMessages {
    private(set) var transcript = Transcript()
    private(set) var removed: Set<String> = []
    /// How many messages were released when each was inserted: those it could not precede any more.
    private(set) var releasedBefore: [String: Int] = [:]
    /// Changes without an effect: that must not happen.
    private(set) var faults: [String] = []

    var all: [Message] { transcript.released + transcript.pending }

    mutating func apply(_ change: Transcript.Change) {
        if case .insert(let id, _, _, _, _) = change { releasedBefore[id] = transcript.released.count }
        let effect = transcript.apply(change, createdAt: Date(timeIntervalSince1970: 0))
        if case .remove(let id) = change {
            // What was released stays.
            removed.insert(id)
        } else if effect == nil {
            faults.append("\(change) has no effect")
        }
    }
}
