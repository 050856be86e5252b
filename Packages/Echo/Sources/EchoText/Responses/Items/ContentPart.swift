// SPDX-License-Identifier: MIT

/// A piece of a message, or of a tool's result.
public enum ContentPart: Sendable, Hashable {
    /// Text to the model.
    case inputText(String)
    /// A picture to the model: an `https` or `data:` URL, or the id of an uploaded file; `detail` is `low`, `high` or
    /// `auto`.
    case inputImage(url: String?, fileID: String?, detail: String?)
    /// A file to the model: its name, and its content as a `data:` URL, or its id or its URL.
    case inputFile(name: String?, data: String?, fileID: String?, url: String?)
    /// Text of the model.
    case outputText(OutputText)
    /// The model's refusal.
    case refusal(String)
    /// The model's reasoning, where the server shows it.
    case reasoningText(String)
    /// A summary of the model's reasoning.
    case summaryText(String)
    /// Any other part, unchanged.
    case unknown(type: String, JSONValue)

    /// The text; `nil` for a part without text.
    public var text: String? {
        switch self {
        case .inputText(let text), .refusal(let text), .reasoningText(let text), .summaryText(let text): text
        case .outputText(let output): output.text
        case .inputImage, .inputFile, .unknown: nil
        }
    }
}

/// A text of the model, with its annotations.
public struct OutputText: Sendable, Hashable {
    /// The text.
    public var text: String
    /// The sources and files that the text refers to, as the server describes them.
    public var annotations: [JSONValue]
    /// The log probability of each token, if requested.
    public var logprobs: [JSONValue]

    /// A text.
    public init(_ text: String, annotations: [JSONValue] = [], logprobs: [JSONValue] = []) {
        self.text = text
        self.annotations = annotations
        self.logprobs = logprobs
    }
}
