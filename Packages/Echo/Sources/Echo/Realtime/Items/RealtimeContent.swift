// SPDX-License-Identifier: MIT

/// A piece of a message in a voice session.
public enum RealtimeContent: Sendable, Hashable {
    /// Text to the model.
    case inputText(String)
    /// Sound to the model in the session's format, and its transcript. The server omits the sound when it repeats the
    /// item.
    case inputAudio([UInt8]?, transcript: String?)
    /// A picture to the model as a `data:` address; `detail` is `low`, `high` or `auto`.
    case inputImage(url: String, detail: String?)
    /// Text of the model.
    case outputText(String)
    /// Sound of the model in the session's format, and its transcript.
    case outputAudio([UInt8]?, transcript: String?)
    /// Any other part, unchanged.
    case unknown(type: String, JSONValue)

    /// The text or transcript; `nil` if it is unknown.
    public var text: String? {
        switch self {
        case .inputText(let text), .outputText(let text): text
        case .inputAudio(_, let transcript), .outputAudio(_, let transcript): transcript
        case .inputImage, .unknown: nil
        }
    }
}

extension RealtimeContent {
    /// A part from the server.
    ///
    /// - Throws: `WireError` if a required field is missing, or the sound is not base64.
    public init(json: JSONValue) throws(WireError) {
        let part = try WireObject(json, "content part")
        let type = part.optionalString("type") ?? ""
        switch type {
        case "input_text": self = .inputText(part.optionalString("text") ?? "")
        case "output_text", "text": self = .outputText(part.optionalString("text") ?? "")
        case "input_audio":
            self = .inputAudio(try part.optionalSound("audio"), transcript: part.optionalString("transcript"))
        case "output_audio", "audio":
            self = .outputAudio(try part.optionalSound("audio"), transcript: part.optionalString("transcript"))
        case "input_image":
            self = .inputImage(url: part.optionalString("image_url") ?? "", detail: part.optionalString("detail"))
        default: self = .unknown(type: type, json)
        }
    }

    /// The part as the API takes it.
    public var json: JSONValue {
        switch self {
        case .inputText(let text): return ["type": "input_text", "text": .string(text)]
        case .outputText(let text): return ["type": "output_text", "text": .string(text)]
        case .inputAudio(let audio, let transcript): return Self.sound("input_audio", audio, transcript)
        case .outputAudio(let audio, let transcript): return Self.sound("output_audio", audio, transcript)
        case .inputImage(let url, let detail):
            var object: JSONObject = ["type": "input_image", "image_url": .string(url)]
            object.set("detail", detail.map(JSONValue.string))
            return .object(object)
        case .unknown(_, let json): return json
        }
    }

    private static func sound(_ type: String, _ audio: [UInt8]?, _ transcript: String?) -> JSONValue {
        var object: JSONObject = ["type": .string(type)]
        object.set("audio", audio.map { .string(Base64.encode($0)) })
        object.set("transcript", transcript.map(JSONValue.string))
        return .object(object)
    }
}
