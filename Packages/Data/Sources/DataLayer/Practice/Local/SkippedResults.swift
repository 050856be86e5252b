// SPDX-License-Identifier: MIT

import Domain
import Persistence

/// The account's results at the server that this device could not read, inside one transaction.
struct SkippedResults<Access: Connection> {
    let connection: Access
    let account: String

    /// Notes that a version of the program cannot read a result.
    func note(_ id: Identifier<PracticeResult>, program: String) throws where Access == WritableConnection {
        try connection.execute(
            """
            INSERT OR REPLACE INTO pull_skipped (account, id, program) VALUES (\(account), \(id.description), \(program))
            """)
    }

    func remove(_ id: Identifier<PracticeResult>) throws where Access == WritableConnection {
        try connection.execute("DELETE FROM pull_skipped WHERE account = \(account) AND id = \(id.description)")
    }

    /// The results that another version of the program could not read; at most 200 at once.
    func list(not program: String) throws -> [Identifier<PracticeResult>] {
        try connection.query(
            "SELECT id FROM pull_skipped WHERE account = \(account) AND program <> \(program) ORDER BY id LIMIT 200"
        ) { row in
            guard let id = Identifier<PracticeResult>(try row["id"]) else { throw DomainError.unusable(.row("id")) }
            return id
        }
    }
}
