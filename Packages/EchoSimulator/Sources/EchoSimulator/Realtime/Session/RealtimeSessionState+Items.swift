// SPDX-License-Identifier: MIT

import StructuredJSON

/// `conversation.item.…`
extension RealtimeSessionState {
    mutating func createItem(_ event: JSONValue) throws(RealtimeProblem) {
        let item = try readItem(event["item"] ?? [:], at: "item")
        try items.insert(item, after: event["previous_item_id"]?.string)
        guard setup.opening?.session?.transcribesItems == true, settings.transcribes, item.role == "user", item.hasSound
        else { return announce(item.id) }
        var turn = try setup.take(.spoken, nil, nil)
        turn?.speech?.isItemLate = false
        hear(item.id, item.sound, turn)
    }

    /// Sends `added` and `done` for a complete item.
    mutating func announce(_ id: String) {
        guard let item = items[id] else { return }
        let previous = items.previous(of: id).map(JSONValue.string) ?? .null
        for kind in ["added", "done"] {
            emit([
                "type": .string("conversation.item.\(kind)"), "previous_item_id": previous, "item": .object(item.json),
            ])
        }
    }

    /// Reads an item of the client's, whose shape was checked.
    mutating func readItem(_ json: JSONValue, at path: String) throws(RealtimeProblem) -> RealtimeItems.Item {
        if json["type"] == "item_reference" {
            guard path != "item" else {
                throw RealtimeProblem(
                    code: "invalid_value", message: "Items of the conversation can be named in response.input only.",
                    param: "item.type")
            }
            guard let item = items[json["id"]?.string ?? ""] else {
                throw .unknownItem(json["id"]?.string ?? "", to: "reading", code: "item_not_found", param: "\(path).id")
            }
            return item
        }
        var object: JSONObject = ["id": .string(json["id"]?.string ?? identifier("item_"))]
        if json["type"] != "mcp_approval_response" {
            object["object"] = "realtime.item"
            object["status"] = "completed"
        }
        for (name, value) in json.object ?? [:] where name != "id" { object[name] = value }
        if object["type"] == "function_call", object["call_id"] == nil {
            object["call_id"] = .string(identifier("call_"))
        }
        var item = RealtimeItems.Item(json: object)
        if item.type == "function_call_output" { try checkOutput(item, at: path) }
        guard item.type == "message" else { return item }
        try readParts(&item, at: path)
        return item
    }

    private func checkOutput(_ item: RealtimeItems.Item, at path: String) throws(RealtimeProblem) {
        let id = item.json["call_id"]
        guard path == "item", !items.all.contains(where: { $0.type == "function_call" && $0.json["call_id"] == id })
        else { return }
        throw RealtimeProblem(
            code: "invalid_tool_call_id",
            message: "Tool call ID '\(id?.string ?? "")' not found in conversation.", param: "\(path).call_id")
    }

    private func readParts(_ item: inout RealtimeItems.Item, at path: String) throws(RealtimeProblem) {
        let allowed: [String] =
            switch item.role {
            case "user": ["input_text", "input_audio", "input_image"]
            case "assistant": ["output_text"]
            default: ["input_text"]
            }
        for (place, part) in item.content.enumerated() {
            let type = part["type"]?.string ?? ""
            guard allowed.contains(type) else {
                throw RealtimeProblem(
                    code: "invalid_value",
                    message: "Invalid value: '\(type)'. Supported values are: "
                        + allowed.map { "'\($0)'" }.joined(separator: ", ") + ".",
                    param: "\(path).content[\(place)].type")
            }
            guard let audio = part["audio"]?.string else { continue }
            guard let sound = settings.inputFormat.decode(audio) else {
                throw RealtimeProblem(
                    code: "invalid_value", message: "The audio is not base64 of whole samples.",
                    param: "\(path).content[\(place)].audio")
            }
            item.sound = sound
            item.length = sound.count
            item.set("audio", nil, part: place)
        }
    }

    mutating func retrieveItem(_ event: JSONValue) throws(RealtimeProblem) {
        let id = event["item_id"]?.string ?? ""
        guard var item = items[id] else {
            throw .unknownItem(id, to: "retrieving", code: "item_retrieve_invalid_item_id")
        }
        if !item.sound.isEmpty {
            let format = item.role == "assistant" ? settings.outputFormat : settings.inputFormat
            item.set("audio", .string(format.encode(item.sound[...])))
        }
        emit(["type": "conversation.item.retrieved", "item": .object(item.json)])
    }

    mutating func deleteItem(_ event: JSONValue) throws(RealtimeProblem) {
        let id = event["item_id"]?.string ?? ""
        try items.remove(id)
        hearings[id] = nil
        emit(["type": "conversation.item.deleted", "item_id": .string(id)])
    }

    mutating func truncateItem(_ event: JSONValue) throws(RealtimeProblem) {
        let id = event["item_id"]?.string ?? ""
        let (part, end) = (event["content_index"]?.integer ?? 0, event["audio_end_ms"]?.integer ?? 0)
        try items.truncate(id, part: part, milliseconds: end)
        emit([
            "type": "conversation.item.truncated", "item_id": .string(id), "content_index": .integer(part),
            "audio_end_ms": .integer(end),
        ])
    }
}
