// SPDX-License-Identifier: MIT

import StructuredJSON

/// The events of an answer, in the API's order.
extension RealtimeSessionState {
    mutating func say(_ step: RealtimeAnswer.Step, at place: Int) {
        switch step {
        case .begin(let part): beginItem(place, part)
        case .text(let part, let delta):
            answers[place].parts[part].text += delta
            sayDelta("output_text", .string(delta), place, part)
        case .words(let part, let delta):
            answers[place].parts[part].text += delta
            sayDelta("output_audio_transcript", .string(delta), place, part)
        case .sound(let part, let range):
            guard case .message(_, let sound) = answers[place].parts[part].script else { return }
            hasSpoken = true
            answers[place].parts[part].item.sound += sound[range]
            answers[place].parts[part].item.length += range.count
            keep(place, part)
            sayDelta("output_audio", .string(answers[place].outputFormat.encode(sound[range])), place, part)
        case .arguments(let part, let delta):
            answers[place].parts[part].text += delta
            sayDelta("function_call_arguments", .string(delta), place, part)
        case .finish(let part): finishItem(place, part, status: "completed")
        case .raw(let event): emit(event.object ?? [:])
        }
    }

    private mutating func beginItem(_ place: Int, _ part: Int) {
        answers[place].parts[part].hasBegun = true
        let answer = answers[place]
        let item = answer.parts[part].item
        emit([
            "type": "response.output_item.added", "response_id": .string(answer.id), "output_index": .integer(part),
            "item": .object(item.json),
        ])
        if answer.isInConversation {
            let previous = items.lastID.map(JSONValue.string) ?? .null
            // An identifier of our own is new, and there is no item to insert after.
            try? items.insert(item, after: nil)
            emit(["type": "conversation.item.added", "previous_item_id": previous, "item": .object(item.json)])
            announceLateItems()
        }
        guard item.type == "message" else { return }
        var event = eventAbout("response.content_part.added", answer, part)
        event["part"] = answer.isSpoken ? ["type": "audio", "transcript": ""] : ["type": "text", "text": ""]
        emit(event)
        answers[place].parts[part].item.json["content"] = [
            answer.isSpoken ? ["type": "output_audio", "transcript": ""] : ["type": "output_text", "text": ""]
        ]
        keep(place, part)
    }

    private mutating func sayDelta(_ kind: String, _ delta: JSONValue, _ place: Int, _ part: Int) {
        var event = eventAbout("response.\(kind).delta", answers[place], part)
        event["delta"] = delta
        emit(event)
        release(.during)
    }

    /// An event about an item's only part.
    private func eventAbout(_ type: String, _ answer: RealtimeAnswer, _ part: Int) -> JSONObject {
        let item = answer.parts[part].item
        var event: JSONObject = [
            "type": .string(type), "response_id": .string(answer.id), "item_id": .string(item.id),
            "output_index": .integer(part),
        ]
        if item.type == "function_call" {
            event["call_id"] = item.json["call_id"]
        } else {
            event["content_index"] = 0
        }
        return event
    }

    /// Stores the sent part of an item in the conversation.
    private mutating func keep(_ place: Int, _ part: Int) {
        let answer = answers[place]
        if answer.isInConversation { items[answer.parts[part].item.id] = answer.parts[part].item }
    }

    /// The events that end an item, complete or not.
    func closing(_ answer: RealtimeAnswer, _ part: Int) -> [JSONObject] {
        let text = JSONValue.string(answer.parts[part].text)
        var events: [JSONObject] = []
        func add(_ type: String, _ name: String? = nil, _ value: JSONValue = .null) {
            var event = eventAbout(type, answer, part)
            if let name { event[name] = value }
            events.append(event)
        }
        if case .functionCall(let name, _, _) = answer.parts[part].script {
            add("response.function_call_arguments.done", "arguments", text)
            events[0]["name"] = .string(name)
        } else if answer.isSpoken {
            add("response.output_audio.done")
            add("response.output_audio_transcript.done", "transcript", text)
            add("response.content_part.done", "part", ["type": "audio", "transcript": text])
        } else {
            add("response.output_text.done", "text", text)
            add("response.content_part.done", "part", ["type": "text", "text": text])
        }
        return events
    }

    private mutating func finishItem(_ place: Int, _ part: Int, status: String) {
        answers[place].parts[part].isDone = true
        let text = JSONValue.string(answers[place].parts[part].text)
        let name = answers[place].isSpoken ? "transcript" : "text"
        if answers[place].parts[part].item.type == "function_call" {
            answers[place].parts[part].item.json["arguments"] = text
        } else {
            answers[place].parts[part].item.set(name, text)
        }
        answers[place].parts[part].item.json["status"] = .string(status)
        keep(place, part)
        let answer = answers[place]
        let item = JSONValue.object(answer.parts[part].item.json)
        for event in closing(answer, part) { emit(event) }
        emit([
            "type": "response.output_item.done", "response_id": .string(answer.id), "output_index": .integer(part),
            "item": item,
        ])
        guard answer.isInConversation else { return }
        let previous = items.previous(of: answer.parts[part].item.id).map(JSONValue.string) ?? .null
        emit(["type": "conversation.item.done", "previous_item_id": previous, "item": item])
    }

    /// Ends an answer as its script says.
    mutating func finish(_ id: String) {
        guard let answer = answers.first(where: { $0.id == id }) else { return }
        switch answer.status {
        case .completed: end(id, as: "completed", reason: nil)
        case .incomplete(let reason): end(id, as: "incomplete", reason: reason)
        case .failed: end(id, as: "failed", reason: nil)
        }
    }

    /// Ends an answer: ends the items that have begun, sends `response.done`, and releases the transcripts that waited.
    mutating func end(_ id: String, as status: String, reason: String?) {
        guard let place = answers.firstIndex(where: { $0.id == id }) else { return }
        for part in answers[place].parts.indices
        where answers[place].parts[part].hasBegun && !answers[place].parts[part].isDone {
            finishItem(place, part, status: "incomplete")
        }
        let answer = answers.remove(at: place)
        let isRaw = answer.parts.isEmpty && answer.wasRaw
        guard !isRaw || status != "completed" else { return }
        let details = details(answer, status, reason)
        let usage = usage(answer)
        emit(["type": "response.done", "response": answer.json(status: status, details: details, usage: usage)])
        emit(["type": "rate_limits.updated", "rate_limits": rateLimits(used: usage["total_tokens"]?.integer ?? 0)])
        if answer.isInConversation {
            formerInput = answer.input
            let length = answer.parts.reduce(0) { $0 + $1.item.milliseconds }
            answerHeardAt = now + .milliseconds(length)
            announceLateItems()
            release(.during)
            release(.after)
        }
    }

    private func details(_ answer: RealtimeAnswer, _ status: String, _ reason: String?) -> JSONValue {
        guard status != "completed" else { return .null }
        var details: JSONObject = ["type": .string(status)]
        if let reason { details["reason"] = .string(reason) }
        if status == "failed" {
            guard case .failed(let code, let message) = answer.status else { return .object(details) }
            let type = code == "rate_limit_exceeded" ? "tokens" : "server_error"
            details["error"] = ["type": .string(type), "code": .string(code), "message": .string(message)]
        }
        return .object(details)
    }

    private func usage(_ answer: RealtimeAnswer) -> JSONValue {
        let output = RealtimeTokens(saying: answer.parts.filter(\.hasBegun).map(\.item))
        guard let told = answer.usage else {
            return RealtimeTokens.usage(
                input: answer.input, former: answer.isInConversation ? formerInput : nil, output: output)
        }
        var input = RealtimeTokens(reading: [], instructions: "", tools: nil)
        var cached = input
        input.text = told.input - told.inputAudio
        input.audio = told.inputAudio
        cached.text = told.cached
        var said = input
        said.text = told.output - told.outputAudio
        said.audio = told.outputAudio
        var usage = RealtimeTokens.usage(input: input, former: nil, output: said).object ?? [:]
        var details = usage["input_token_details"]?.object ?? [:]
        details["cached_tokens"] = .integer(told.cached)
        details["cached_tokens_details"] = ["text_tokens": .integer(told.cached), "audio_tokens": 0, "image_tokens": 0]
        usage["input_token_details"] = .object(details)
        return .object(usage)
    }

    private func rateLimits(used: Int) -> JSONValue {
        if let limits = setup.opening?.session?.rateLimits { return .array(limits) }
        return [
            ["name": "requests", "limit": 1_000, "remaining": 999, "reset_seconds": 0.06],
            [
                "name": "tokens", "limit": 40_000, "remaining": .integer(max(0, 40_000 - used)),
                "reset_seconds": .double(Double(min(used, 40_000)) * 0.0015),
            ],
        ]
    }
}
