// SPDX-License-Identifier: MIT

/// One batch of texts to turn into vectors: the body of `POST /embeddings`.
public struct EmbeddingsRequest: Sendable, Hashable {
    /// The model.
    public var model: EmbeddingModel
    /// The texts; none may be empty.
    public var input: [String]
    /// The length of the vectors; `nil` for the model's own.
    public var dimensions: Int?

    /// A batch.
    public init(model: EmbeddingModel, input: [String], dimensions: Int? = nil) {
        self.model = model
        self.input = input
        self.dimensions = dimensions
    }

    /// The body. It requests base64, a quarter of the size of numbers in JSON.
    public var json: JSONValue {
        var object: JSONObject = [
            "model": .string(model.rawValue), "input": .array(input.map { .string($0) }), "encoding_format": "base64",
        ]
        object.set("dimensions", dimensions.map(JSONValue.integer))
        return .object(object)
    }
}
