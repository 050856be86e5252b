// SPDX-License-Identifier: MIT

extension VoiceAction {
    /// The action in the form of a trace, before redaction.
    var traceJSON: JSONValue {
        switch self {
        case .connect(let session): ["kind": "connect", "session": .integer(session)]
        case .send(let session, let event): ["kind": "send", "session": .integer(session), "event": event.json]
        case .close(let session): ["kind": "close", "session": .integer(session)]
        case .play(let sound): ["kind": "play", "sound": TraceRedaction.sound(sound)]
        case .flush: ["kind": "flush"]
        case .messages(let operations): ["kind": "messages", "operations": .array(operations.map(\.traceJSON))]
        case .call(let call): ["kind": "call", "call": call.traceJSON]
        case .judge(let id, let text): ["kind": "judge", "judgement": .integer(id), "text": .string(text)]
        case .done(let number, let failure):
            ["kind": "done", "number": .integer(number), "failure": failure?.traceJSON ?? .null]
        case .notice(let notice): ["kind": "notice", "notice": notice.traceJSON]
        case .giveUp(let failure): ["kind": "giveUp", "failure": failure.traceJSON]
        }
    }
}

extension VoiceNotice {
    fileprivate var traceJSON: JSONValue {
        func plain(_ kind: String) -> JSONValue { ["kind": .string(kind)] }
        switch self {
        case .userStartedSpeaking: return plain("userStartedSpeaking")
        case .userStoppedSpeaking: return plain("userStoppedSpeaking")
        case .assistantStartedSpeaking: return plain("assistantStartedSpeaking")
        case .assistantStoppedSpeaking: return plain("assistantStoppedSpeaking")
        case .assistantText(let text): return ["kind": "assistantText", "text": .string(text)]
        case .assistantAudio(let sound): return ["kind": "assistantAudio", "sound": TraceRedaction.sound(sound)]
        case .turnBegan(let speaker): return ["kind": "turnBegan", "role": .string("\(speaker)")]
        case .turnEnded(let speaker): return ["kind": "turnEnded", "role": .string("\(speaker)")]
        case .assistantInterrupted: return plain("assistantInterrupted")
        case .interruptionWasFalse: return plain("interruptionWasFalse")
        case .connection(let status): return ["kind": "connection", "status": .string(status.rawValue)]
        case .latency(let latency): return ["kind": "latency", "latency": latency.traceJSON]
        case .usage(let usage): return ["kind": "usage", "usage": usage.traceJSON]
        case .toolCallRequested(let call): return ["kind": "toolCallRequested", "call": call.traceJSON]
        case .toolResultSubmitted(let result): return ["kind": "toolResultSubmitted", "result": result.traceJSON]
        case .answerBlocked(let itemID): return ["kind": "answerBlocked", "item_id": .string(itemID)]
        case .turnTooShort: return plain("turnTooShort")
        case .idleTimedOut: return plain("idleTimedOut")
        case .turnTimedOut: return plain("turnTimedOut")
        case .rateLimited(let wait):
            return [
                "kind": "rateLimited", "limit": .string(wait.limit.rawValue),
                "duration": .integer(wait.duration.traceNanoseconds), "isTooLong": .bool(wait.isTooLong),
            ]
        case .failed(let failure): return ["kind": "failed", "failure": failure.traceJSON]
        }
    }
}

extension VoiceUsage {
    fileprivate var traceJSON: JSONValue {
        switch self {
        case .answer(let usage, let id): ["response_id": .string(id), "usage": usage.traceJSON]
        case .transcript(let usage, let id): ["item_id": .string(id), "usage": usage.traceJSON]
        }
    }
}

extension VoiceFailure {
    fileprivate var traceJSON: JSONValue {
        switch self {
        case .api(let failure): ["kind": "api", "failure": .object(failure.traceObject)]
        case .session(let failure): ["kind": "session", "failure": failure.traceJSON]
        case .timedOut: ["kind": "timedOut"]
        case .rateLimited: ["kind": "rateLimited"]
        case .tooManyCalls(let rounds, let limit):
            ["kind": "tooManyCalls", "rounds": .integer(rounds), "limit": .integer(limit)]
        case .stopped: ["kind": "stopped"]
        }
    }
}

extension TranscriptOrder.Operation {
    fileprivate var traceJSON: JSONValue {
        switch self {
        case .insert(let id, let role, let text, let status, let place):
            [
                "kind": "insert", "id": .string(id), "role": .string(role.rawValue), "text": .string(text),
                "status": .string("\(status)"), "at": place.traceJSON,
            ]
        case .keepPlace(let id, let place): ["kind": "keepPlace", "id": .string(id), "at": place.traceJSON]
        case .append(let id, let delta): ["kind": "append", "id": .string(id), "text": .string(delta)]
        case .complete(let id, let text, let isInterrupted):
            [
                "kind": "complete", "id": .string(id), "text": .string(text),
                "isInterrupted": .bool(isInterrupted),
            ]
        case .fail(let id, let reason): ["kind": "fail", "id": .string(id), "text": .string(reason)]
        case .fill(let id, let text): ["kind": "fill", "id": .string(id), "text": .string(text)]
        case .remove(let id): ["kind": "remove", "id": .string(id)]
        }
    }
}

extension MessagePlace {
    fileprivate var traceJSON: JSONValue {
        switch self {
        case .end: ["kind": "end"]
        case .beginning: ["kind": "beginning"]
        case .after(let id): ["kind": "after", "id": .string(id)]
        }
    }
}

extension ToolCall {
    fileprivate var traceJSON: JSONValue {
        ["call_id": .string(id), "name": .string(name), "arguments": .string(arguments)]
    }
}

extension TurnLatency {
    var traceJSON: JSONValue {
        var object: JSONObject = ["turn": .integer(turnID)]
        for (name, duration) in [
            ("sent", sent), ("firstEvent", firstEvent), ("firstAudio", firstAudio), ("audible", audible),
        ] {
            object.set(name, duration.map { .integer($0.traceNanoseconds) })
        }
        return .object(object)
    }

    init(traceJSON json: JSONValue) throws(WireError) {
        let latency = try WireObject(json, "latency")
        func duration(_ name: String) -> Duration? { latency[name]?.integer.map { .nanoseconds($0) } }
        self.init(
            turnID: try latency.integer("turn"), sent: duration("sent"), firstEvent: duration("firstEvent"),
            firstAudio: duration("firstAudio"), audible: duration("audible"))
    }
}
