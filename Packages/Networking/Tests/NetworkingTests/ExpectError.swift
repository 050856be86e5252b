// SPDX-License-Identifier: MIT

import Networking
import Testing

/// Expects a `NetworkError` of this code.
func expectError(
    _ code: NetworkError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("no error, but expected \(code)", sourceLocation: sourceLocation)
    } catch let error as NetworkError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("expected \(code), got \(error)", sourceLocation: sourceLocation)
    }
}
