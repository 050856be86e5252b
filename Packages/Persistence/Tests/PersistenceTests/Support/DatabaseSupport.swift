// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import TestKit

extension TemporaryFolder {
    /// The path of the test's database.
    var database: String { file("test.sqlite") }
}

extension Database {
    /// Every statement of the schema, sorted by name.
    func schema() async throws -> [String] {
        try await read { connection in
            try connection.query("SELECT name, coalesce(sql, '') AS sql FROM sqlite_schema ORDER BY name") { row in
                "\(try row["name", as: String.self]): \(try row["sql", as: String.self])"
            }
        }
    }
}

/// The code of the ``DatabaseError`` that a closure throws.
func code(of body: () async throws -> Void) async -> DatabaseError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? DatabaseError)?.code
    }
}

extension Database.Configuration {
    /// This configuration with other values.
    func with(_ change: (inout Self) -> Void) -> Self {
        var configuration = self
        change(&configuration)
        return configuration
    }
}
