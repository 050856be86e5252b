// SPDX-License-Identifier: MIT

import Persistence

extension PracticeDatabase {
    /// Removes all results of an account, in one transaction.
    ///
    /// - Returns: How many there were.
    public func deleteResults(of owner: String) async throws -> Int {
        try await write { connection in
            try connection.execute("DELETE FROM practice_result WHERE owner = \(owner)")
            let count = connection.changes
            try connection.execute("DELETE FROM practice_change WHERE owner = \(owner)")
            return count
        }
    }
}
