// SPDX-License-Identifier: MIT

import StructuredJSON

/// Makes the output items of an answer and their events.
struct ResponseItems {
    /// An item as it is in the end, and its events without `sequence_number` and `output_index`.
    struct Part {
        let item: JSONValue
        var events: [JSONObject] = []
    }

    let core: SimulatorCore
    let chunk: Int?

    func part(_ item: Scenario.Item, isIncomplete: Bool) -> Part {
        let status: JSONValue = isIncomplete ? "incomplete" : "completed"
        switch item {
        case .message(let text):
            let content: JSONObject = [
                "type": "output_text", "annotations": [], "logprobs": [], "text": .string(text),
            ]
            return message(content, status, text: text, field: "text", name: "response.output_text")
        case .refusal(let text):
            let content: JSONObject = ["type": "refusal", "refusal": .string(text)]
            return message(content, status, text: text, field: "refusal", name: "response.refusal")
        case .functionCall(let name, let arguments, let id):
            return call(name, arguments, id ?? core.identifier("call_", digits: 24), status)
        case .reasoning(let summary, let isEncrypted): return reasoning(summary, isEncrypted)
        case .raw(let json):
            var object = json.object ?? [:]
            if object["id"] == nil { object["id"] = .string(core.identifier("item_")) }
            let item = JSONValue.object(object)
            return Part(item: item, events: [Self.added(item), Self.done(item)])
        }
    }

    private func message(
        _ content: JSONObject, _ status: JSONValue, text: String, field: String, name: String
    ) -> Part {
        let id = core.identifier("msg_")
        func item(_ status: JSONValue, _ content: [JSONValue]) -> JSONValue {
            [
                "id": .string(id), "type": "message", "status": status, "content": .array(content),
                "role": "assistant",
            ]
        }
        var empty = content
        empty[field] = ""
        let place: JSONObject = ["item_id": .string(id), "content_index": 0]
        let final = item(status, [.object(content)])
        var part = Part(item: final, events: [Self.added(item("in_progress", []))])
        part.events.append(Self.event("response.content_part.added", place, ["part": .object(empty)]))
        let extra: JSONObject = field == "text" ? ["logprobs": []] : [:]
        for delta in TextChunks.split(text, size: chunk) {
            part.events.append(Self.event("\(name).delta", place, extra, ["delta": .string(delta)]))
        }
        part.events.append(Self.event("\(name).done", place, extra, [field: .string(text)]))
        part.events.append(Self.event("response.content_part.done", place, ["part": .object(content)]))
        part.events.append(Self.done(final))
        return part
    }

    private func call(_ name: String, _ arguments: String, _ callID: String, _ status: JSONValue) -> Part {
        let id = core.identifier("fc_")
        func item(_ status: JSONValue, _ arguments: String) -> JSONValue {
            [
                "id": .string(id), "type": "function_call", "status": status, "arguments": .string(arguments),
                "call_id": .string(callID), "name": .string(name),
            ]
        }
        let final = item(status, arguments)
        var part = Part(item: final, events: [Self.added(item("in_progress", ""))])
        let event = "response.function_call_arguments"
        for delta in TextChunks.split(arguments, size: chunk ?? 4) {
            part.events.append(Self.event("\(event).delta", ["item_id": .string(id)], ["delta": .string(delta)]))
        }
        part.events.append(Self.event("\(event).done", ["item_id": .string(id)], ["arguments": .string(arguments)]))
        part.events.append(Self.done(final))
        return part
    }

    private func reasoning(_ summary: [String], _ isEncrypted: Bool) -> Part {
        let id = core.identifier("rs_")
        func piece(_ text: String) -> JSONValue { ["type": "summary_text", "text": .string(text)] }
        func item(_ summary: [String]) -> JSONValue {
            var object: JSONObject = [
                "id": .string(id), "type": "reasoning", "summary": .array(summary.map(piece)),
            ]
            // The content is the model's own business: some base64.
            if isEncrypted { object["encrypted_content"] = .string("gAAAAAB" + core.identifier("", digits: 41)) }
            return .object(object)
        }
        let final = item(summary)
        var part = Part(item: final, events: [Self.added(item([]))])
        for (index, text) in summary.enumerated() {
            let place: JSONObject = ["item_id": .string(id), "summary_index": .integer(index)]
            part.events.append(Self.event("response.reasoning_summary_part.added", place, ["part": piece("")]))
            for delta in TextChunks.split(text, size: chunk) {
                part.events.append(
                    Self.event("response.reasoning_summary_text.delta", place, ["delta": .string(delta)]))
            }
            part.events.append(Self.event("response.reasoning_summary_text.done", place, ["text": .string(text)]))
            part.events.append(Self.event("response.reasoning_summary_part.done", place, ["part": piece(text)]))
        }
        part.events.append(Self.done(final))
        return part
    }

    private static func added(_ item: JSONValue) -> JSONObject { event("response.output_item.added", ["item": item]) }

    private static func done(_ item: JSONValue) -> JSONObject { event("response.output_item.done", ["item": item]) }

    private static func event(_ type: String, _ members: JSONObject...) -> JSONObject {
        var event: JSONObject = ["type": .string(type)]
        for (name, value) in members.joined() { event[name] = value }
        return event
    }
}
