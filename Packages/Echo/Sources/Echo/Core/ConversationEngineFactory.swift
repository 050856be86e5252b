// SPDX-License-Identifier: MIT

/// Makes the engine for a mode: the only place that knows all engines.
struct ConversationEngineFactory: Sendable {
    let service: any ResponsesService
    /// The connection for voice sessions; `nil` for an ``Echo`` over a caller's own services.
    let connection: APIConnection?
    let configuration: EchoConfiguration
    let automaticToolExecution: Bool
    let executor: ToolExecutor
    let meter: UsageMeter

    /// An engine that continues after those items.
    ///
    /// - Throws: ``EchoError/unsupportedModel(_:)``; for voice also the reason why device or session did not open,
    ///   after which neither is open.
    func engine(
        _ mode: EchoMode, _ context: ConversationContext, history: [ResponseItem]
    ) async throws -> any ConversationEngine {
        switch mode {
        case .text:
            try configuration.endpoint.validate(configuration.responsesModel)
            return TextEngine(
                context: context, service: service, configuration: configuration,
                automaticToolExecution: automaticToolExecution, executor: executor, history: history)
        case .audio:
            try configuration.endpoint.validate(configuration.realtimeModel)
            guard let connection else {
                throw EchoError.unsupported("Voice needs a server of its own. Make the Echo with Echo(key:).")
            }
            let engine = VoiceEngine(
                context: context, connection: connection, configuration: configuration,
                automaticToolExecution: automaticToolExecution, executor: executor, meter: meter)
            try await engine.start(after: history)
            return engine
        }
    }
}
