// SPDX-License-Identifier: MIT

/// The server of the requests: OpenAI's, or a compatible one.
public struct EchoEndpoint: Sendable, Hashable {
    /// The calls by which a server answers in text.
    public enum TextAPI: Sendable, Hashable {
        /// `POST /responses`.
        case responses
        /// `POST /chat/completions`, for servers without `/responses`. The server keeps nothing there.
        case chatCompletions
    }

    /// The URL that paths such as `/responses` are appended to, with its version: `https://api.openai.com/v1`. Plain
    /// `http` is allowed to this machine itself, and elsewhere if ``allowsPlainHTTP`` is true.
    public var baseURL: String
    /// The calls by which it answers in text.
    public var textAPI: TextAPI
    /// The names of the models that it offers besides the listed ones, of every kind.
    public var models: Set<String>
    /// The names of those ``models`` that read no pictures.
    public var modelsWithoutImages: Set<String>
    /// Header fields for every request, such as `OpenAI-Organization`.
    public var headers: [String: String]
    /// True if plain `http` is allowed to another machine. Keys and conversations can then be read on the way.
    public var allowsPlainHTTP: Bool

    /// An endpoint.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL, with the version.
    ///   - textAPI: The API by which it answers in text.
    ///   - models: The models that it offers besides the listed ones.
    ///   - modelsWithoutImages: The names of those that read no pictures.
    ///   - headers: Header fields for every request.
    ///   - allowsPlainHTTP: True if plain `http` is allowed to another machine.
    public init(
        baseURL: String, textAPI: TextAPI = .responses, models: Set<String> = [], modelsWithoutImages: Set<String> = [],
        headers: [String: String] = [:], allowsPlainHTTP: Bool = false
    ) {
        self.baseURL = baseURL
        self.textAPI = textAPI
        self.models = models
        self.modelsWithoutImages = modelsWithoutImages
        self.headers = headers
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// OpenAI's server.
    public static let openAI = EchoEndpoint(baseURL: "https://api.openai.com/v1")
}

extension EchoEndpoint {
    /// Refuses a model that is neither listed nor declared.
    ///
    /// - Throws: ``EchoError/unsupportedModel(_:)``.
    public func validate(_ model: ResponsesModel) throws(EchoError) {
        try validate(model.rawValue, isListed: ResponsesModel.supported.contains(model))
    }

    /// Refuses a model that is neither listed nor declared.
    ///
    /// - Throws: ``EchoError/unsupportedModel(_:)``.
    public func validate(_ model: EmbeddingModel) throws(EchoError) {
        try validate(model.rawValue, isListed: EmbeddingModel.supported.contains(model))
    }

    /// Refuses a model that is neither listed nor declared.
    ///
    /// - Throws: ``EchoError/unsupportedModel(_:)``.
    public func validate(_ model: RealtimeModel) throws(EchoError) {
        try validate(model.rawValue, isListed: RealtimeModel.supported.contains(model))
    }

    /// Refuses a model that is neither listed nor declared.
    ///
    /// - Throws: ``EchoError/unsupportedModel(_:)``.
    public func validate(_ model: TranscriptionModel) throws(EchoError) {
        try validate(model.rawValue, isListed: TranscriptionModel.supported.contains(model))
    }

    /// Refuses pictures for a model that reads none.
    ///
    /// - Throws: ``EchoError/invalidConfiguration(_:)``.
    package func validateImages(for name: String, areAccepted: Bool) throws(EchoError) {
        guard areAccepted, !modelsWithoutImages.contains(name) else {
            throw .invalidConfiguration(
                "\(name) reads no pictures. Leave them out, or use a model whose acceptsImages is true.")
        }
    }

    private func validate(_ name: String, isListed: Bool) throws(EchoError) {
        guard isListed || models.contains(name) else { throw .unsupportedModel(name) }
    }
}
