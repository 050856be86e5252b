// SPDX-License-Identifier: MIT

import Domain
import TestKit

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

/// Makes a port that fails, by the ``Domain/DomainError/code`` of its error: those errors that an implementation can be
/// brought to throw.
public typealias Failing<Port> = [String: @Sendable () async throws -> Port]

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

/// Runs something that has to fail with a `DomainError` of a code.
func requireError(
    code: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws {
    try await requireError(code, where: { ($0 as? DomainError)?.code == code }, body)
}

/// Runs each port that fails; its error has to have the code, which has to be a documented one.
func requireErrors<Port>(
    of failing: Failing<Port>, documented: Set<String>, _ body: (Port) async throws -> Void
) async throws {
    try require(!failing.isEmpty, "no error can be provoked, so that nothing was checked")
    for (code, make) in failing {
        try require(documented.contains(code), "\(code) is not an error of this port")
        let port = try await make()
        try await requireError(code: code) { try await body(port) }
    }
}

/// Awaits something that has to throw `CancellationError`.
func requireCancellationError(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws {
    try await requireError("CancellationError", where: { $0 is CancellationError }, body)
}

/// Runs something in a task that is cancelled from the first instruction on; it has to throw `CancellationError`.
func requireCancelled(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task {
        cancelCurrentTask()
        try await body()
    }
    try await requireCancellationError { try await task.value }
}

/// Runs something `count` times at once, and throws what the first failure throws.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        try await group.waitForAll()
    }
}

/// What is reported, in its order.
actor Collected<Element: Sendable> {
    private(set) var all: [Element] = []
    func add(_ element: Element) { all.append(element) }
}
