// SPDX-License-Identifier: MIT

/// Carries out the calls that a model requests.
///
/// Arguments are checked against the tool's schema; calls run side by side up to a limit; each has a time-out; and the
/// results are in the order of the calls. A failed call (an unknown tool, wrong arguments, a refusal, a time-out, an
/// error of the handler) gives a result that describes the failure to the model.
public struct ToolExecutor: Sendable {
    /// The limits of calls, and their approval.
    public let configuration: Configuration
    private let clock: any Clock<Duration>

    /// An executor.
    ///
    /// - Parameter clock: Measures time-outs.
    public init(configuration: Configuration = Configuration(), clock: any Clock<Duration> = ContinuousClock()) {
        self.configuration = configuration
        self.clock = clock
    }

    /// Carries out calls.
    ///
    /// - Parameters:
    ///   - calls: The model's calls.
    ///   - tool: Returns the tool of a name.
    ///   - report: Gets each call's beginning and end; those of different calls at the same time.
    /// - Returns: A result for each call, in the order of the calls.
    /// - Throws: `CancellationError`, as soon as the task is cancelled, even if a handler ignores the cancellation; the
    ///   errors of the approval and of `report`.
    public func execute(
        _ calls: [ToolCall], with tool: @Sendable (String) -> Tool?,
        report: @escaping @Sendable (ToolExecution) async throws -> Void = { _ in }
    ) async throws -> [ToolResult] {
        var prepared: [(call: ToolCall, preparation: ToolPreparation)] = []
        for call in calls { prepared.append((call, try await prepare(call, tool(call.name)))) }
        return try await withThrowingTaskGroup(of: (Int, ToolResult).self) { group in
            var results = [ToolResult?](repeating: nil, count: calls.count)
            var running = 0
            for (index, entry) in prepared.enumerated() {
                if running >= max(1, configuration.maximumParallelCalls), let (done, result) = try await group.next() {
                    results[done] = result
                    running -= 1
                }
                running += 1
                group.addTask { (index, try await result(of: entry.call, entry.preparation, report)) }
            }
            for try await (index, result) in group { results[index] = result }
            return results.compactMap(\.self)
        }
    }

    /// Checks a call, and requests its approval.
    package func prepare(_ call: ToolCall, _ tool: Tool?) async throws -> ToolPreparation {
        try Task.checkCancellation()
        let preparation = ToolPreparation(call, tool)
        guard case .ready = preparation, let approval = configuration.approval else { return preparation }
        switch try await approval(call) {
        case .approved: return preparation
        case .denied(let reason):
            try Task.checkCancellation()
            return .denied(reason)
        }
    }

    /// Carries a call out, and reports it.
    private func result(
        of call: ToolCall, _ preparation: ToolPreparation, _ report: @Sendable (ToolExecution) async throws -> Void
    ) async throws -> ToolResult {
        if case .denied(let reason) = preparation {
            let result = try await result(of: call, preparation)
            try await report(.denied(call, reason: reason))
            return result
        }
        try await report(.started(call))
        let start = clock.measure()
        let result = try await result(of: call, preparation)
        try await report(.ended(call, result, took: start()))
        return result
    }

    /// Carries a call out.
    package func result(of call: ToolCall, _ preparation: ToolPreparation) async throws -> ToolResult {
        switch preparation {
        case .refused(let reason): return ToolResult(callID: call.id, output: reason, isError: true)
        case .denied(let reason):
            return ToolResult(callID: call.id, output: "The call was not allowed: \(reason)", isError: true)
        case .ready(let tool, let arguments):
            let run = ToolRun(tool: tool, arguments: arguments, timeout: configuration.timeout, clock: clock)
            do {
                return ToolResult(callID: call.id, output: cut(try await run.output()))
            } catch {
                try Task.checkCancellation()
                return ToolResult(callID: call.id, output: cut("The call failed: \(error)"), isError: true)
            }
        }
    }

    private func cut(_ output: String) -> String {
        let count = output.utf8.count
        guard count > configuration.maximumResultBytes else { return output }
        // Slicing a string rounds down to the beginning of a whole character.
        let end = output.utf8.index(output.startIndex, offsetBy: max(0, configuration.maximumResultBytes))
        return output[..<end] + "\n[Cut: \(configuration.maximumResultBytes) of \(count) bytes.]"
    }
}

extension Clock<Duration> {
    /// Begins to measure; the result returns the time since.
    fileprivate func measure() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
