// SPDX-License-Identifier: MIT

public import Domain
public import Echo

/// A source of tools for a model, which also decides if one may be called.
public protocol ToolSource: Sendable {
    /// The tools that the model may see now; reports the missing ones.
    func tools(_ report: @Sendable (AnswerEvent) async throws -> Void) async throws -> [Tool]
    /// The permission for a call; may ask the person.
    ///
    /// - Returns: Nil if the call may be made.
    func refusal(
        of call: ToolUse, _ report: @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> ToolRefusal?
    /// Closes the source's connections.
    func close() async
}

extension ToolUse {
    /// The call of a model.
    init(_ call: ToolCall) { self.init(id: call.id, name: call.name, arguments: call.arguments) }
}

extension ToolSource {
    /// Carries out the calls of a model: asks first, one call after another, then makes several calls at once.
    ///
    /// - Returns: A result for each call, in their order.
    func carryOut(
        _ calls: [ToolCall], _ tools: [Tool], _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> [ToolResult] {
        let executor = ToolExecutor(
            configuration: ToolExecutor.Configuration(approval: { call in
                guard let refusal = try await refusal(of: ToolUse(call), report) else { return .approved }
                return .denied(reason: refusal.reason)
            }))
        return try await executor.execute(calls) { name in
            tools.first { $0.name == name }
        } report: { execution in
            switch execution {
            case .started(let call): try await report(.toolCalled(ToolUse(call)))
            case .ended(let call, let result, let took):
                try await report(
                    .toolReturned(ToolUse(call), output: result.output, isError: result.isError, took: took))
            case .denied(let call, let reason):
                try await report(.toolCalled(ToolUse(call)))
                try await report(.toolRefused(ToolUse(call), ToolRefusal(reason: reason) ?? .declined))
            }
        }
    }
}
