// SPDX-License-Identifier: MIT

/// A piece of a message, or of a tool's result.
public enum ContentPart: Sendable, Hashable {
    /// Text to the model.
    case inputText(String)
    /// A picture to the model: an `https` or `data:` address, or the id of an uploaded file; `detail` is `low`, `high` or
    /// `auto`.
    case inputImage(url: String?, fileID: String?, detail: String?)
    /// A file to the model: its name, and its content as a `data:` address, or its id or its address.
    case inputFile(name: String?, data: String?, fileID: String?, url: String?)
    /// Text of the model.
    case outputText(OutputText)
    /// The model's words for not answering.
    case refusal(String)
    /// The model's reasoning, where the server shows it.
    case reasoningText(String)
    /// A short form of what the model thought.
    case summaryText(String)
    /// Anything else, as it came.
    case unknown(type: String, JSONValue)

    /// The words in it, if it is words.
    public var text: String? {
        switch self {
        case .inputText(let text), .refusal(let text), .reasoningText(let text), .summaryText(let text): text
        case .outputText(let output): output.text
        case .inputImage, .inputFile, .unknown: nil
        }
    }
}

/// Text of the model, with what belongs to it.
public struct OutputText: Sendable, Hashable {
    /// The text.
    public var text: String
    /// Sources and files that it refers to, as the server describes them.
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
