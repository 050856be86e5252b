// SPDX-License-Identifier: MIT

extension ContentPart {
    /// A part from the server.
    init(json: JSONValue) throws(WireError) {
        let part = try WireObject(json, "content part")
        let type = part.optionalString("type") ?? ""
        switch type {
        case "output_text", "text":
            self = .outputText(
                OutputText(
                    try part.string("text"), annotations: part.array("annotations"), logprobs: part.array("logprobs")))
        case "refusal": self = .refusal(try part.string("refusal"))
        case "reasoning_text": self = .reasoningText(try part.string("text"))
        case "summary_text": self = .summaryText(try part.string("text"))
        case "input_text": self = .inputText(try part.string("text"))
        case "input_image":
            self = .inputImage(
                url: part.optionalString("image_url"), fileID: part.optionalString("file_id"),
                detail: part.optionalString("detail"))
        case "input_file":
            self = .inputFile(
                name: part.optionalString("filename"), data: part.optionalString("file_data"),
                fileID: part.optionalString("file_id"), url: part.optionalString("file_url"))
        default: self = .unknown(type: type, json)
        }
    }

    /// The part as the API writes it.
    var json: JSONValue {
        switch self {
        case .inputText(let text): return ["type": "input_text", "text": .string(text)]
        case .inputImage(let url, let fileID, let detail):
            var object: JSONObject = ["type": "input_image", "detail": .string(detail ?? "auto")]
            object.set("image_url", url.map(JSONValue.string))
            object.set("file_id", fileID.map(JSONValue.string))
            return .object(object)
        case .inputFile(let name, let data, let fileID, let url):
            var object: JSONObject = ["type": "input_file"]
            object.set("filename", name.map(JSONValue.string))
            object.set("file_data", data.map(JSONValue.string))
            object.set("file_id", fileID.map(JSONValue.string))
            object.set("file_url", url.map(JSONValue.string))
            return .object(object)
        case .outputText(let output):
            var object: JSONObject = [
                "type": "output_text", "text": .string(output.text), "annotations": .array(output.annotations),
            ]
            if !output.logprobs.isEmpty { object["logprobs"] = .array(output.logprobs) }
            return .object(object)
        case .refusal(let text): return ["type": "refusal", "refusal": .string(text)]
        case .reasoningText(let text): return ["type": "reasoning_text", "text": .string(text)]
        case .summaryText(let text): return ["type": "summary_text", "text": .string(text)]
        case .unknown(_, let json): return json
        }
    }
}
