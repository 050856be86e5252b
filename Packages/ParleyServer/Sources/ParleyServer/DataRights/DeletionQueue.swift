// SPDX-License-Identifier: MIT

/// Runs deletions one after the other. Each is finished even when its client disconnects: otherwise the rest would be
/// deleted later, after new data has arrived.
struct DeletionQueue: Sendable {
    private let orders: AsyncStream<@Sendable () async -> Void>
    private let entry: AsyncStream<@Sendable () async -> Void>.Continuation

    init() {
        (orders, entry) = AsyncStream.makeStream()
    }

    /// The result of `body`, which runs when its turn has come.
    ///
    /// - Throws: `CancellationError` after ``finish()``, and the errors of `body`.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, any Error>, Never>) in
            let order: @Sendable () async -> Void = {
                do {
                    continuation.resume(returning: .success(try await body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if case .enqueued = entry.yield(order) { return }
            continuation.resume(returning: .failure(CancellationError()))
        }.get()
    }

    /// Works until ``finish()``.
    func work() async {
        for await order in orders { await order() }
    }

    /// Takes no more orders; ``work()`` returns when the waiting ones are carried out.
    func finish() { entry.finish() }
}
