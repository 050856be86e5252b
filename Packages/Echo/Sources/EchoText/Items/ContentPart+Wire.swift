// SPDX-License-Identifier: MIT

/// The API whose form an item has. The names of parts differ, and a voice session's items have fewer members.
package enum ItemForm: Sendable {
    /// The responses API.
    case responses
    /// A voice session.
    case realtime
}

extension ContentPart {
    /// A part from the server.
    ///
    /// - Throws: `WireError` if a required field is missing, or the sound is not base64.
    package init(json: JSONValue, in form: ItemForm = .responses) throws(WireError) {
        let part = try WireObject(json, "content part")
        let type = part.optionalString("type") ?? ""
        switch (type, form) {
        case ("output_text", _), ("text", _):
            self = .outputText(
                OutputText(
                    try part.text(in: form), annotations: part.array("annotations"), logprobs: part.array("logprobs")))
        case ("input_text", _): self = .inputText(try part.text(in: form))
        case ("refusal", _): self = .refusal(try part.string("refusal"))
        case ("reasoning_text", _): self = .reasoningText(try part.string("text"))
        case ("summary_text", _): self = .summaryText(try part.string("text"))
        case ("input_audio", .realtime):
            self = .inputAudio(try part.optionalSound("audio"), transcript: part.optionalString("transcript"))
        case ("output_audio", .realtime), ("audio", .realtime):
            self = .outputAudio(try part.optionalSound("audio"), transcript: part.optionalString("transcript"))
        case ("input_image", _):
            // A voice trace has the picture's part without the picture.
            let url = part.optionalString("image_url") ?? (form == .realtime ? "" : nil)
            self = .inputImage(
                url: url, fileID: part.optionalString("file_id"),
                detail: part.optionalString("detail"))
        case ("input_file", _):
            self = .inputFile(
                name: part.optionalString("filename"), data: part.optionalString("file_data"),
                fileID: part.optionalString("file_id"), url: part.optionalString("file_url"))
        default: self = .unknown(type: type, json)
        }
    }

    /// The part as the API takes it; `nil` if it has no such form.
    func json(in form: ItemForm) -> JSONValue? {
        switch (self, form) {
        case (.inputText(let text), _): return ["type": "input_text", "text": .string(text)]
        case (.inputAudio(let audio, let transcript), .realtime):
            return Self.sound("input_audio", audio, transcript)
        case (.outputAudio(let audio, let transcript), .realtime):
            return Self.sound("output_audio", audio, transcript)
        case (.inputAudio(_, let transcript), .responses):
            return transcript.flatMap { ContentPart.inputText($0).json(in: form) }
        case (.outputAudio(_, let transcript), .responses):
            return transcript.flatMap { ContentPart.outputText(OutputText($0)).json(in: form) }
        case (.outputText(let output), .responses):
            var object: JSONObject = [
                "type": "output_text", "text": .string(output.text), "annotations": .array(output.annotations),
            ]
            if !output.logprobs.isEmpty { object["logprobs"] = .array(output.logprobs) }
            return .object(object)
        case (.inputImage(let url, let fileID, let detail), _):
            if url == nil, form == .realtime { return nil }
            return Self.object(
                "input_image", ("detail", detail ?? (form == .responses ? "auto" : nil)), ("image_url", url),
                ("file_id", form == .responses ? fileID : nil))
        case (.inputFile(let name, let data, let fileID, let url), .responses):
            return Self.object(
                "input_file", ("filename", name), ("file_data", data), ("file_id", fileID), ("file_url", url))
        case (.inputFile, .realtime): return nil
        case (.refusal(let text), .responses): return ["type": "refusal", "refusal": .string(text)]
        case (.reasoningText(let text), .responses): return ["type": "reasoning_text", "text": .string(text)]
        case (.summaryText(let text), .responses): return ["type": "summary_text", "text": .string(text)]
        case (.outputText, .realtime), (.refusal, .realtime), (.reasoningText, .realtime), (.summaryText, .realtime):
            return text.map { ["type": "output_text", "text": .string($0)] }
        case (.unknown(_, let json), _): return json
        }
    }

    private static func sound(_ type: String, _ audio: [UInt8]?, _ transcript: String?) -> JSONValue {
        object(type, ("audio", audio.map(Base64.encode)), ("transcript", transcript))
    }

    private static func object(_ type: String, _ members: (String, String?)...) -> JSONValue {
        var object: JSONObject = ["type": .string(type)]
        for (name, value) in members { object.set(name, value.map(JSONValue.string)) }
        return .object(object)
    }
}

extension WireObject {
    /// The text of a part. A voice session omits it until there is some.
    fileprivate func text(in form: ItemForm) throws(WireError) -> String {
        form == .realtime ? optionalString("text") ?? "" : try string("text")
    }
}
