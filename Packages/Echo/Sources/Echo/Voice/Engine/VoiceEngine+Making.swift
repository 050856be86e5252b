// SPDX-License-Identifier: MIT

/// Voice for each `Echo` of a program that links this module: EchoText asks for this conformance (ADR 0039).
extension ConversationEngineFactory: VoiceEngineMaking {
    package func voiceEngine(
        _ context: ConversationContext, over connection: APIConnection, history: [ResponseItem]
    ) async throws -> any ConversationEngine {
        let engine = VoiceEngine(
            context: context, connection: connection, configuration: configuration,
            automaticToolExecution: automaticToolExecution, executor: executor, meter: meter)
        try await engine.start(after: history)
        return engine
    }
}
