// SPDX-License-Identifier: MIT

/// Delays answers until a whole number of steps has passed since the request. The duration of the work then shows only
/// if it takes a step more, and not if one database page more or less was written.
struct AnswerGrid: Sendable {
    let step: Duration

    /// The wait before an answer whose work took `elapsed`.
    func rest(after elapsed: Duration) -> Duration {
        guard step > .zero, elapsed > .zero else { return max(.zero, step) }
        return step * Int((elapsed / step).rounded(.up)) - elapsed
    }

    /// Does the work, waits, and returns its result or throws its error.
    ///
    /// - Parameter onlyErrors: True to return a success at once.
    func run<Value>(onlyErrors: Bool = false, _ work: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        let result: Result<Value, any Error>
        do {
            let value = try await work()
            if onlyErrors { return value }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        try await Task.sleep(for: rest(after: start.duration(to: .now)), tolerance: .zero)
        return try result.get()
    }
}
