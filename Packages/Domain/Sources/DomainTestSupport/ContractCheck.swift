// SPDX-License-Identifier: MIT

/// One promise of a port, checked on a subject that a test makes anew for each check.
///
/// It does not depend on a test library, so it can also run in a program that checks an installation.
public struct ContractCheck<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// The promise in words.
    public let description: String
    /// Throws when the subject breaks the promise.
    public let run: @Sendable (Subject) async throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.run = run
    }
}

/// A promise that was not kept.
public struct BrokenContract: Error, CustomStringConvertible {
    /// What was promised, and what happened.
    public let description: String
}

func require(_ kept: Bool, _ broken: @autoclosure () -> String) throws {
    if !kept { throw BrokenContract(description: broken()) }
}

/// Runs something that has to fail in a way.
func requireError(
    _ expected: String, where matches: (any Error) -> Bool, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch  where matches(error) {
        return
    } catch {
        throw BrokenContract(description: "not \(expected), but \(error)")
    }
    throw BrokenContract(description: "not \(expected), but no error at all")
}
