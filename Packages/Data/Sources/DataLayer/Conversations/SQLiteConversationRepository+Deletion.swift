// SPDX-License-Identifier: MIT

public import Domain
import Persistence

extension SQLiteConversationRepository {
    /// Removes turns, each with all its messages, and the conversations that are empty then.
    ///
    /// The index of the words is made anew, so that it keeps none of theirs.
    ///
    /// - Returns: How many messages there were.
    /// - Throws: `DomainError.storage`; then all of them are there as before.
    public func remove(_ turns: Set<TurnID>) async throws -> Int {
        try await write { connection in
            var count = 0
            for turn in turns {
                try connection.execute("DELETE FROM message WHERE turn = \(turn.description)")
                count += connection.changes
            }
            guard count > 0 else { return 0 }
            try connection.execute(
                "DELETE FROM conversation WHERE NOT EXISTS (SELECT 1 FROM message WHERE conversation = conversation.id)"
            )
            try connection.execute("INSERT INTO message_text (message_text) VALUES ('rebuild')")
            return count
        }
    }
}
