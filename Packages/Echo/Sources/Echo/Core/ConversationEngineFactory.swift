// SPDX-License-Identifier: MIT

/// Makes the engine for a mode: the one place that knows which there are.
struct ConversationEngineFactory: Sendable {
    let service: any ResponsesService
    let configuration: EchoConfiguration
    let automaticToolExecution: Bool
    let executor: ToolExecutor

    /// An engine that goes on after the messages in the context's queue.
    ///
    /// - Throws: ``EchoError/unsupportedModel(_:)``; ``EchoError/unsupported(_:)`` for voice.
    func engine(_ mode: EchoMode, _ context: ConversationContext) async throws -> any ConversationEngine {
        switch mode {
        case .text:
            try configuration.endpoint.validate(configuration.responsesModel)
            return TextEngine(
                context: context, service: service, configuration: configuration,
                automaticToolExecution: automaticToolExecution, executor: executor,
                messages: await context.queue.getOrderedMessages())
        case .audio:
            try configuration.endpoint.validate(configuration.realtimeModel)
            throw EchoError.unsupported(
                "Voice conversations are not built yet: this version of Echo has text alone. Use the mode .text.")
        }
    }
}
