// SPDX-License-Identifier: MIT

import Echo

/// A source of tools, which also decides if one may be called.
protocol ToolSource: Sendable {
    /// The tools that the model may see now; reports the missing ones.
    func tools(_ tell: @Sendable (ChatEvent) async throws -> Void) async throws -> [Tool]
    /// The permission for a call; may ask the person.
    func approval(
        of call: ToolCall, _ tell: @Sendable (ChatEvent) async throws -> Void
    ) async throws -> ToolApproval
    /// The tools, for the person.
    func list() async throws -> [ChatTool]
    /// Closes the source's connections.
    func close() async
}

/// Carries out the calls of a model: asks first, one call after another, then makes several calls at once.
struct ToolCalls: Sendable {
    private static let parallelLimit = 4
    /// The reason that the model reads when the person said no.
    static let declined = "the person does not allow it."

    let source: any ToolSource
    private let executor = ToolExecutor()
    private let clock = ContinuousClock()

    init(source: any ToolSource) { self.source = source }

    func tools(_ tell: @Sendable (ChatEvent) async throws -> Void) async throws -> [Tool] {
        try await source.tools(tell)
    }

    func list() async throws -> [ChatTool] { try await source.list() }

    func close() async { await source.close() }

    /// - Returns: A result for each call, in their order.
    func carryOut(
        _ calls: [ToolCall], _ tools: [Tool], _ tell: @escaping @Sendable (ChatEvent) async throws -> Void
    ) async throws -> [ToolResult] {
        var denied: [Int: String] = [:]
        for (index, call) in calls.enumerated() where tools.contains(where: { $0.name == call.name }) {
            try Task.checkCancellation()
            if case .denied(let reason) = try await source.approval(of: call, tell) { denied[index] = reason }
        }
        return try await withThrowingTaskGroup(of: (Int, ToolResult).self) { group in
            var results = [ToolResult?](repeating: nil, count: calls.count)
            for (index, call) in calls.enumerated() {
                if index >= Self.parallelLimit, let (done, result) = try await group.next() { results[done] = result }
                group.addTask { [denied] in (index, try await result(of: call, denied[index], tools, tell)) }
            }
            for try await (index, result) in group { results[index] = result }
            return results.compactMap(\.self)
        }
    }

    private func result(
        of call: ToolCall, _ denial: String?, _ tools: [Tool],
        _ tell: @Sendable (ChatEvent) async throws -> Void
    ) async throws -> ToolResult {
        let start = clock.now
        let result: ToolResult
        if let denial {
            result = ToolResult(callID: call.id, output: "The call was not allowed: \(denial)", isError: true)
            try await tell(.toolDenied(call, result, reason: denial))
            return result
        } else {
            try await tell(.toolStarted(call))
            let results = try await executor.execute([call]) { name in tools.first { $0.name == name } }
            result = results.first ?? ToolResult(callID: call.id, output: "There is no result.", isError: true)
        }
        try await tell(.toolEnded(call, result, clock.now - start))
        return result
    }
}
