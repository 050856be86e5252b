// SPDX-License-Identifier: MIT

import Diagnostics
import Postgres
import PostgresTestSupport

/// The server of all tests that do not stop it; each test has a database of its own. It ends with the process.
private let sharedCluster = Task { try await PostgresCluster.start() }

/// A new database for a test.
func withDatabase(
    _ change: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (PostgresDatabase) async throws -> Void
) async throws {
    let cluster = try await sharedCluster.value
    var configuration = try PostgresConfiguration(url: try cluster.makeDatabase())
    change(&configuration)
    let database = try PostgresDatabase(configuration)
    do {
        try await body(database)
        await database.close()
    } catch {
        await database.close()
        throw error
    }
}
