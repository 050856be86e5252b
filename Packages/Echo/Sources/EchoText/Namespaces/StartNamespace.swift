// SPDX-License-Identifier: MIT

/// `echo.start`: starts conversations.
public struct StartNamespace: Sendable {
    let echo: Echo

    /// As ``Echo/startConversation(mode:systemMessage:history:)``.
    public func conversation(
        mode: EchoMode = .text, systemMessage: String? = nil, history: [ResponseItem] = []
    ) async throws -> Conversation {
        try await echo.startConversation(mode: mode, systemMessage: systemMessage, history: history)
    }

    /// As ``Echo/startConversation(mode:turnMode:systemMessage:history:)``.
    public func conversation(
        mode: EchoMode, turnMode: TurnDetection, systemMessage: String? = nil, history: [ResponseItem] = []
    ) async throws -> Conversation {
        try await echo.startConversation(
            mode: mode, turnMode: turnMode, systemMessage: systemMessage, history: history)
    }
}
