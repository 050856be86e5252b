// SPDX-License-Identifier: MIT

/// The result of `body`, after which `cleanup` runs in any case: also after an error and in a cancelled task.
///
/// It is for what `defer` cannot do: wait.
public func withCleanup<Value>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value, cleanup: () async -> Void
) async throws -> Value {
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    await cleanup()
    return try result.get()
}
