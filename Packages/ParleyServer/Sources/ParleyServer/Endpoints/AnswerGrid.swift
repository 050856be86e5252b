// SPDX-License-Identifier: MIT

/// Holds answers back until a whole number of steps has passed since the request. What the work behind them took then shows only
/// where it takes a step more, and not that a page of the database more or less had to be written.
struct AnswerGrid: Sendable {
    let step: Duration

    /// The wait before an answer whose work took so long.
    func rest(after elapsed: Duration) -> Duration {
        guard step > .zero, elapsed > .zero else { return max(.zero, step) }
        return step * Int((elapsed / step).rounded(.up)) - elapsed
    }

    /// Does the work, waits, and gives what came of it, an error too.
    ///
    /// - Parameter onlyErrors: True if what goes well is answered at once.
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
