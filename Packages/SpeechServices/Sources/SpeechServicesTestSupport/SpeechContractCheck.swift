// SPDX-License-Identifier: MIT

import SpeechServices
public import TestKit

/// A promise of every engine, and its check.
public struct SpeechContractCheck<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// The promise in words.
    public let description: String
    /// Throws ``BrokenContract`` when the subject breaks the promise.
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

/// An engine, and the service behind it, as a contract suite starts them.
public struct EngineSubject<Engine: Sendable>: Sendable, CustomStringConvertible {
    /// Runs the suite's body with an engine whose service has a fault, on a clock for its limits.
    public typealias Start =
        @Sendable (
            _ fault: SpeechServiceFault?, _ clock: ManualClock, _ body: @Sendable (Engine) async throws -> Void
        ) async throws -> Void

    /// The engine's name.
    public let description: String
    /// The faults that its protocol can show; none for an engine of this machine.
    public let faults: Set<SpeechServiceFault>
    let start: Start

    /// A subject.
    public init(_ description: String, faults: Set<SpeechServiceFault>, start: @escaping Start) {
        self.description = description
        self.faults = faults
        self.start = start
    }
}

/// The key of every subject that needs one; no error may have it.
public let scriptedKey = "sk-scripted-0123456789"

func require(_ kept: Bool, _ broken: @autoclosure () -> String) throws {
    if !kept { throw BrokenContract(description: broken()) }
}

/// Runs something that must fail with a code, while the clock's sleepers are woken one after another.
///
/// - Parameter isStalled: True to move the clock on whenever something waits on it.
func requireFailure(
    _ code: SpeechServiceError.Code, clock: ManualClock, isStalled: Bool,
    _ body: @escaping @Sendable () async throws -> Void
) async throws -> SpeechServiceError {
    let result = await withTaskGroup(of: Result<Void, any Error>?.self) { group in
        group.addTask {
            do { return .success(try await body()) } catch { return .failure(error) }
        }
        if isStalled {
            group.addTask {
                let limit = SpeechServiceLimits().stall
                // Again and again: the first waits may be those for the first half of the answer.
                while (try? await eventually("a wait", { clock.remaining.contains(limit) })) != nil {
                    clock.advance(by: limit)
                }
                return nil
            }
        }
        defer { group.cancelAll() }
        while let next = await group.next() { if let next { return next } }
        return .success(())
    }
    guard case .failure(let error) = result else {
        throw BrokenContract(description: "no error instead of \(code.rawValue)")
    }
    guard let failure = error as? SpeechServiceError else {
        throw BrokenContract(description: "\(error) instead of \(code.rawValue)")
    }
    try require(failure.code == code, "\(failure.code.rawValue) instead of \(code.rawValue): \(failure)")
    try require(failure.message.contains("."), "no advice: \(failure)")
    try require(!"\(failure) \(String(reflecting: failure))".contains(scriptedKey), "the key is in \(failure)")
    return failure
}
