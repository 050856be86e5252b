// SPDX-License-Identifier: MIT

/// State behind a lock that tasks can wait on: each change resumes the tasks whose condition then holds.
public final class Monitor<State: Sendable>: Sendable {
    private struct Waiter {
        let id: UInt64
        let condition: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Contents {
        var state: State
        var waiters: [Waiter] = []
        var cancelled: Set<UInt64> = []
        var nextID: UInt64 = 0
    }

    private let contents: Guarded<Contents>

    /// A monitor with its first state.
    public init(_ state: State) {
        contents = Guarded(Contents(state: state))
    }

    /// The number of waiting tasks; for tests.
    package var waiterCount: Int { contents.withLock { $0.waiters.count } }

    /// Reads or changes the state with exclusive access. Not reentrant; keep `body` short, and never wait in it.
    public func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (result, ready) = contents.withLock { contents -> (Swift.Result<Result, Failure>, [Waiter]) in
            let result: Swift.Result<Result, Failure>
            do throws(Failure) { result = .success(try body(&contents.state)) } catch { result = .failure(error) }
            guard !contents.waiters.isEmpty else { return (result, []) }
            let state = contents.state
            let ready = contents.waiters.filter { $0.condition(state) }
            contents.waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
            return (result, ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return try result.get()
    }

    /// Returns as soon as `condition` holds. The condition may no longer hold when the caller resumes.
    ///
    /// - Throws: `CancellationError`.
    public func wait(until condition: @escaping @Sendable (State) -> Bool) async throws {
        let id = contents.withLock { contents in
            contents.nextID += 1
            return contents.nextID
        }
        // The task may be cancelled just after its condition held.
        defer { contents.withLock { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = contents.withLock { contents -> Result<Void, any Error>? in
                    if contents.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if condition(contents.state) { return .success(()) }
                    contents.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = contents.withLock { contents -> Waiter? in
                guard let index = contents.waiters.firstIndex(where: { $0.id == id }) else {
                    contents.cancelled.insert(id)
                    return nil
                }
                return contents.waiters.remove(at: index)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
