// SPDX-License-Identifier: MIT

public import Domain
import Persistence

extension SQLiteConversationRepository {
    /// Deletes turns, each with all its messages, and the conversations that are then empty.
    ///
    /// The index of the words is rebuilt, so that it keeps no deleted words.
    ///
    /// - Returns: The number of deleted messages.
    /// - Throws: `DomainError.storage`; then nothing is deleted.
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
