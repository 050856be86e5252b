// SPDX-License-Identifier: MIT

/// Makes the engine for a mode: the only place that knows all engines.
package struct ConversationEngineFactory: Sendable {
    package let service: any ResponsesService
    /// The connection for voice sessions; `nil` for an ``Echo`` over services of the caller's own.
    package let connection: APIConnection?
    package let configuration: EchoConfiguration
    package let automaticToolExecution: Bool
    package let executor: ToolExecutor
    package let meter: UsageMeter

    /// An engine that continues the context's conversation.
    ///
    /// - Throws: ``EchoError/unsupportedModel(_:)``; for voice also the reason why device or session did not open,
    ///   after which neither is open.
    package func engine(
        _ mode: EchoMode, _ context: ConversationContext
    ) async throws -> any ConversationEngine {
        switch mode {
        case .text:
            try configuration.endpoint.validate(configuration.responsesModel)
            return TextEngine(
                context: context, service: service, configuration: configuration,
                automaticToolExecution: automaticToolExecution, executor: executor)
        case .audio:
            try configuration.endpoint.validate(configuration.realtimeModel)
            guard let maker = self as? any VoiceEngineMaking else {
                throw EchoError.unsupported("EchoText has no voice. Add the product Echo, and import that.")
            }
            guard let connection else {
                throw EchoError.unsupported("Voice needs a server of its own. Make the Echo with Echo(key:).")
            }
            return try await maker.voiceEngine(context, over: connection)
        }
    }
}

/// Makes the engine for voice. ``ConversationEngineFactory`` conforms in programs that link the module Echo (ADR 0039).
package protocol VoiceEngineMaking {
    /// An engine that listens, and continues the context's conversation.
    ///
    /// - Throws: ``EchoError``: what keeps device or session from opening, after which neither is open.
    func voiceEngine(
        _ context: ConversationContext, over connection: APIConnection
    ) async throws -> any ConversationEngine
}
