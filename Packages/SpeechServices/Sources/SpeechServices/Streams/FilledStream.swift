// SPDX-License-Identifier: MIT

extension AsyncThrowingStream where Failure == any Error, Element: Sendable {
    /// A stream without a limit that a task fills, and that ends with it. The task is cancelled when the consumer stops.
    package static func filled(
        _ body: @escaping @Sendable (Continuation) async throws -> Void
    ) -> AsyncThrowingStream<Element, any Error> {
        let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
        let task = Task {
            do {
                try await body(continuation)
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
