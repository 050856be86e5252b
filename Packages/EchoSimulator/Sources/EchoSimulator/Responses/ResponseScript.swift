// SPDX-License-Identifier: MIT

import StructuredJSON

/// A complete response: its final object, and every event before it.
struct ResponseScript {
    private(set) var final: JSONValue
    private(set) var events: [JSONValue] = []

    /// - Parameters:
    ///   - object: The response.
    ///   - answer: The response's content.
    ///   - prompt: The request's input, for usage.
    init(_ object: ResponseObject, _ answer: Scenario.Answer, prompt: Prompt, items: ResponseItems) {
        let isIncomplete = if case .incomplete = answer.status { true } else { false }
        let parts = answer.items.enumerated().map { index, item in
            items.part(item, isIncomplete: isIncomplete && index == answer.items.count - 1)
        }
        let usage = answer.usage ?? Self.estimate(answer, prompt)
        var changes: JSONObject = ["usage": ResponseObject.usage(usage)]
        let status: String
        switch answer.status {
        case .completed:
            status = "completed"
            changes["completed_at"] = .integer(object.createdAt)
        case .incomplete(let reason):
            status = "incomplete"
            changes["incomplete_details"] = ["reason": .string(reason)]
        case .failed(let code, let message):
            status = "failed"
            changes["error"] = ["code": .string(code), "message": .string(message)]
            changes["usage"] = .null
        }
        final = object.json(status: status, output: parts.map(\.item), changes)
        append("response.created", ["response": object.json(status: "in_progress")])
        if object.request["background"]?.bool == true {
            append("response.queued", ["response": object.json(status: "queued")])
        }
        append("response.in_progress", ["response": object.json(status: "in_progress")])
        for (index, part) in parts.enumerated() {
            for event in part.events {
                append(event["type"]?.string ?? "", event, ["output_index": .integer(index)])
            }
        }
        append("response.\(status)", ["response": final])
    }

    /// Events word for word, with `sequence_number` and the missing fields of `response` added.
    init(_ object: ResponseObject, events: [JSONValue]) {
        final = object.json(status: "completed")
        for event in events {
            var members = event.object ?? [:]
            if let changes = members["response"]?.object {
                final = object.json(status: "in_progress", changes)
                members["response"] = final
            }
            append(members["type"]?.string ?? "", members)
        }
    }

    private mutating func append(_ type: String, _ members: JSONObject...) {
        var event: JSONObject = ["type": .string(type), "sequence_number": .integer(events.count)]
        for (name, value) in members.joined() { event[name] = value }
        events.append(.object(event))
    }

    static func estimate(_ answer: Scenario.Answer, _ prompt: Prompt) -> Scenario.Usage {
        var (output, reasoning) = (0, 0)
        for item in answer.items {
            switch item {
            case .message(let text), .refusal(let text): output += TokenEstimate.tokens(in: text)
            case .functionCall(let name, let arguments, _): output += TokenEstimate.tokens(in: name + arguments)
            case .reasoning: reasoning += 64
            case .raw(let json): output += TokenEstimate.tokens(in: json.text)
            }
        }
        return Scenario.Usage(
            input: prompt.inputTokens, cached: prompt.cachedTokens, output: output + reasoning, reasoning: reasoning)
    }
}
