// SPDX-License-Identifier: MIT

import Domain
import Persistence

/// Runs `body` and translates the database's errors into the domain's; every other error passes untouched.
func storageErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as DatabaseError {
        throw DomainError.storage(error.message)
    }
}
