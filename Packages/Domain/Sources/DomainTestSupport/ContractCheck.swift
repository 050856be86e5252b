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

/// A promise that was broken.
public struct BrokenContract: Error, CustomStringConvertible {
    /// The promise and what happened instead.
    public let description: String
}

/// Makes a failing port for each ``Domain/DomainError/code``, for the errors that an implementation can be made to
/// throw.
public typealias Failing<Port> = [String: @Sendable () async throws -> Port]

func require(_ kept: Bool, _ broken: @autoclosure () -> String) throws {
    if !kept { throw BrokenContract(description: broken()) }
}

/// Runs something that must throw a given error.
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

/// Runs something that must throw a `DomainError` with a given code.
func requireError(
    code: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws {
    try await requireError(code, where: { ($0 as? DomainError)?.code == code }, body)
}

/// Runs each failing port; its error must have the given code, which must be a documented one.
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

/// Awaits something that must throw `CancellationError`.
func requireCancellationError(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws {
    try await requireError("CancellationError", where: { $0 is CancellationError }, body)
}

/// Runs something in a task that is cancelled from the first instruction on; it must throw `CancellationError`.
func requireCancelled(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task {
        cancelCurrentTask()
        try await body()
    }
    try await requireCancellationError { try await task.value }
}

/// Runs something `count` times at once, and throws the first failure's error.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        try await group.waitForAll()
    }
}

/// The reported elements, in order.
public actor Collected<Element: Sendable> {
    /// All so far.
    public private(set) var all: [Element] = []

    /// None yet.
    public init() {}

    /// Adds one at the end.
    public func add(_ element: Element) { all.append(element) }
}
