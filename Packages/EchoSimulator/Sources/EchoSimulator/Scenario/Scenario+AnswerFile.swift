// SPDX-License-Identifier: MIT

import StructuredJSON

extension Scenario.Answer {
    /// Reads a text alone, or items with their status.
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        self.init()
        if let text = reader.value.string {
            items = [.message(text)]
            return
        }
        try reader.check("items", "incomplete", "failed", "usage", "interleaved")
        for item in try reader.member("items")?.elements() ?? [] { items.append(try Scenario.Item(item)) }
        if let reason = reader.member("incomplete") { status = .incomplete(reason: try reason.string()) }
        if let failed = reader.member("failed") {
            guard status == .completed else { throw failed.error("an answer is incomplete or failed, not both") }
            try failed.check("code", "message")
            status = .failed(
                code: try failed.required("code").string(), message: try failed.required("message").string())
        }
        usage = try reader.member("usage").map(Scenario.Usage.init)
        isInterleaved = try reader.member("interleaved")?.boolean() ?? false
    }
}

extension Scenario.Usage {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        try reader.check("input", "cached", "output", "reasoning", "input_audio", "output_audio")
        self.init(
            input: try reader.required("input").integer(0...Int.max),
            cached: try reader.member("cached")?.integer(0...Int.max) ?? 0,
            output: try reader.required("output").integer(0...Int.max),
            reasoning: try reader.member("reasoning")?.integer(0...Int.max) ?? 0,
            inputAudio: try reader.member("input_audio")?.integer(0...Int.max) ?? 0,
            outputAudio: try reader.member("output_audio")?.integer(0...Int.max) ?? 0)
    }
}

extension Scenario.Item {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        try reader.check("message", "refusal", "function_call", "reasoning", "item")
        guard let object = reader.value.object, object.count == 1, let kind = object.names.first,
            let content = reader.member(kind)
        else { throw reader.error("an item is one of message, refusal, function_call, reasoning, item") }
        switch kind {
        case "message": self = .message(try content.string())
        case "refusal": self = .refusal(try content.string())
        case "function_call": self = try Self.call(content)
        case "reasoning": self = try Self.reasoning(content)
        default:
            _ = try content.required("type").string()
            self = .raw(content.value)
        }
    }

    /// Arguments are a value, or a string that is sent as it is, so that it can be broken.
    private static func call(_ reader: ScenarioReader) throws(ScenarioError) -> Scenario.Item {
        try reader.check("name", "arguments", "call_id")
        let arguments = try reader.required("arguments").value
        return .functionCall(
            name: try reader.required("name").string(), arguments: arguments.string ?? arguments.text,
            id: try reader.member("call_id")?.string())
    }

    private static func reasoning(_ reader: ScenarioReader) throws(ScenarioError) -> Scenario.Item {
        if let text = reader.value.string { return .reasoning(summary: [text]) }
        try reader.check("summary", "encrypted")
        var summary: [String] = []
        for text in try reader.member("summary")?.elements() ?? [] { summary.append(try text.string()) }
        return .reasoning(summary: summary, isEncrypted: try reader.member("encrypted")?.boolean() ?? false)
    }
}
