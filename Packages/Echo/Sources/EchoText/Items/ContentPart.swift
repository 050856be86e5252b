// SPDX-License-Identifier: MIT

/// A piece of a message, or of a tool's result.
public enum ContentPart: Sendable, Hashable {
    /// Text to the model.
    case inputText(String)
    /// Sound to the model in a voice session's format, and its transcript. The server omits the sound when it repeats the
    /// item; a request without voice has the transcript.
    case inputAudio([UInt8]?, transcript: String?)
    /// A picture to the model: an `https` or `data:` URL, or the id of an uploaded file; `detail` is `low`, `high` or
    /// `auto`. A voice session takes `data:` URLs.
    case inputImage(url: String?, fileID: String? = nil, detail: String? = nil)
    /// A file to the model: its name, and its content as a `data:` URL, or its id or its URL.
    case inputFile(name: String?, data: String?, fileID: String?, url: String?)
    /// Text of the model.
    case outputText(OutputText)
    /// Sound of the model in a voice session's format, and its transcript.
    case outputAudio([UInt8]?, transcript: String?)
    /// The model's refusal.
    case refusal(String)
    /// The model's reasoning, where the server shows it.
    case reasoningText(String)
    /// A summary of the model's reasoning.
    case summaryText(String)
    /// Any other part, unchanged.
    case unknown(type: String, JSONValue)

    /// The text or transcript; `nil` for a part without one.
    public var text: String? {
        switch self {
        case .inputText(let text), .refusal(let text), .reasoningText(let text), .summaryText(let text): text
        case .outputText(let output): output.text
        case .inputAudio(_, let transcript), .outputAudio(_, let transcript): transcript
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
