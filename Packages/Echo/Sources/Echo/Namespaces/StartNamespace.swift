// SPDX-License-Identifier: MIT

/// `echo.start`: what can be begun.
public struct StartNamespace: Sendable {
    let echo: Echo

    /// As ``Echo/startConversation(mode:systemMessage:)``.
    public func conversation(mode: EchoMode = .text, systemMessage: String? = nil) async throws -> Conversation {
        try await echo.startConversation(mode: mode, systemMessage: systemMessage)
    }

    /// As ``Echo/startConversation(mode:turnMode:systemMessage:)``.
    public func conversation(
        mode: EchoMode, turnMode: TurnDetection, systemMessage: String? = nil
    ) async throws -> Conversation {
        try await echo.startConversation(mode: mode, turnMode: turnMode, systemMessage: systemMessage)
    }
}
