// SPDX-License-Identifier: MIT

import Postgres
import Testing

/// Expects an error of this module with a code; returns it.
@discardableResult
func expect<Value>(
    _ code: PostgresError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async -> PostgresError? {
    do {
        _ = try await body()
        Issue.record("no error, where \(code) is expected", sourceLocation: sourceLocation)
    } catch let error as PostgresError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("\(error) where \(code) is expected", sourceLocation: sourceLocation)
    }
    return nil
}
