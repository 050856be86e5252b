// SPDX-License-Identifier: MIT

/// The awaited condition did not hold before the test's time limit.
public struct ConditionNeverHeld: Error, CustomStringConvertible {
    /// The place of the wait and the condition in words.
    public let description: String
}

/// Waits for a condition of something that sends no signal: another process, a file, a counter of an audio thread.
///
/// It has no time limit, so that a busy machine cannot fail a test: the test's `.timeLimit` cancels it. The first check
/// is made at once, further ones every two milliseconds, which takes no processor time from the awaited thread. Await
/// an event that sends a signal by that signal instead.
///
/// - Parameters:
///   - what: The condition in words, for the error.
///   - condition: Must stay true once it was true, or be checked under a lock.
/// - Throws: ``ConditionNeverHeld`` if the task is cancelled; the errors of `condition`.
public func eventually(
    _ what: String = "the condition", file: String = #fileID, line: Int = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    while true {
        if try await condition() { return }
        do { try await Task.sleep(for: .milliseconds(2)) } catch {
            throw ConditionNeverHeld(description: "\(file):\(line): \(what) never held")
        }
    }
}

/// Suspends until the current task is cancelled.
public func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    continuation.finish()
}

/// Lets other tasks run in between, `times` times: noise in the order of events, for tests that must pass in every
/// order.
///
/// The test must not depend on how far the other tasks get meanwhile.
public func disturbOrder(_ times: Int = 1) async {
    for _ in 0..<times { await Task.yield() }
}

/// Cancels the calling task, so that the rest runs in a cancelled task from its first instruction on.
public func cancelCurrentTask() {
    withUnsafeCurrentTask { $0?.cancel() }
}
