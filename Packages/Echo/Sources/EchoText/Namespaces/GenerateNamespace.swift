// SPDX-License-Identifier: MIT

/// `echo.generate`: data that a model makes of a prompt, outside a conversation. The server keeps nothing of it.
public struct GenerateNamespace: Sendable {
    let service: any ResponsesService
    let model: ResponsesModel
    let embeddings: EmbeddingsNamespace

    /// A value of a type, made by the model.
    ///
    /// The schema is derived from the type (`JSONSchema.of`) and the model held to it. An answer that does not fit is
    /// returned to the model once, with the fault.
    ///
    /// ```swift
    /// let profile = try await echo.generate.structured(
    ///     UserProfile.self, from: "Create profile for John, 30 years old")
    /// ```
    ///
    /// - Parameters:
    ///   - model: `nil` uses the configuration's.
    ///   - instructions: The rules for this answer.
    /// - Throws: ``EchoError/invalidStructuredOutput(_:text:)`` with the model's text if the second answer does not fit
    ///   either; ``EchoError/refused(_:)``; ``EchoError/invalidConfiguration(_:)`` if the type has no schema.
    public func structured<T: Codable>(
        _ type: T.Type, from prompt: String, model: ResponsesModel? = nil, instructions: String? = nil
    ) async throws -> T {
        let schema: JSONSchema
        do throws(JSONSchemaError) { schema = try JSONSchema.of(type) } catch {
            throw EchoError.invalidConfiguration("The type \(type) has no schema: \(error)")
        }
        let name = "\(type)".filter { ($0.isASCII && ($0.isLetter || $0.isNumber)) || $0 == "_" }
        let request = StructuredRequest(
            service: service, model: model ?? self.model, instructions: instructions, schema: schema,
            name: name.isEmpty ? "answer" : String(name.prefix(64)))
        return try await request.value(for: prompt) { try JSONSchema.decode(type, from: $0) }
    }

    /// JSON that fits a schema, made by the model.
    ///
    /// - Returns: The JSON as compact text.
    /// - Throws: As ``structured(_:from:model:instructions:)``.
    public func structuredJSON(
        schema: JSONSchema, from prompt: String, model: ResponsesModel? = nil, instructions: String? = nil
    ) async throws -> String {
        let request = StructuredRequest(
            service: service, model: model ?? self.model, instructions: instructions, schema: schema, name: "answer")
        return try await request.value(for: prompt) { $0.text }
    }

    /// The vector of one text; as ``EmbeddingsNamespace/embedding(from:model:dimensions:)``.
    public func embedding(
        from text: String, model: EmbeddingModel? = nil, dimensions: Int? = nil
    ) async throws -> [Float] {
        try await embeddings.embedding(from: text, model: model, dimensions: dimensions)
    }

    /// A vector for each text; as ``EmbeddingsNamespace/embeddings(from:model:dimensions:)``.
    public func embeddings(
        from texts: [String], model: EmbeddingModel? = nil, dimensions: Int? = nil
    ) async throws -> [[Float]] {
        try await embeddings.embeddings(from: texts, model: model, dimensions: dimensions)
    }
}

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
