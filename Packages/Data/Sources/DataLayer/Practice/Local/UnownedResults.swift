// SPDX-License-Identifier: MIT

package import Domain
package import Persistence

/// The results of no account, in the transaction of a caller that exchanges them with a person's other devices.
package enum UnownedResults {
    /// A result; nil if it was deleted or moved to an account.
    package static func result(_ id: String, on connection: Connection) throws -> PracticeResult? {
        guard let id = Identifier<PracticeResult>(id) else { return nil }
        return try PracticeTable(connection: connection, owner: "").result(id)
    }

    /// Stores a result, unless it was deleted here or is here, also as an account's.
    ///
    /// - Returns: True if it was stored.
    package static func store(_ result: PracticeResult, on connection: WritableConnection) throws -> Bool {
        let owners = try connection.query("SELECT DISTINCT owner FROM practice_result", as: String.self)
        let stored = try connection.first(
            "SELECT 1 FROM practice_result WHERE owner IN \(list: owners) AND id = \(result.id.description)", as: Int.self)
        guard stored == nil else { return false }
        return try PracticeTable(connection: connection, owner: "").store(result)
    }

    /// Deletes a result.
    ///
    /// - Returns: True if it was there.
    package static func delete(_ id: String, on connection: WritableConnection) throws -> Bool {
        guard let id = Identifier<PracticeResult>(id) else { return false }
        return try PracticeTable(connection: connection, owner: "").delete(id)
    }
}
