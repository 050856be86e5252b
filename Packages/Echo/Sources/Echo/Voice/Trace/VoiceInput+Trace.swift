// SPDX-License-Identifier: MIT

extension VoiceInput {
    /// The input in the form of a trace, before redaction.
    var traceJSON: JSONValue {
        switch self {
        case .start: return ["kind": "start"]
        case .opened(let session): return ["kind": "opened", "session": .integer(session)]
        case .failed(let session, let failure):
            return ["kind": "failed", "session": .integer(session), "failure": failure.traceJSON]
        case .server(let session, let event):
            var object: JSONObject = ["kind": "server", "session": .integer(session), "event": event.json]
            if case .unknown = event.detail { object["isUnknown"] = true }
            return .object(object)
        case .captured(let sound): return ["kind": "captured", "sound": TraceRedaction.sound(sound)]
        case .heard(let frames): return ["kind": "heard", "frames": .integer(frames)]
        case .flushed(let frames): return ["kind": "flushed", "frames": .integer(frames)]
        case .voice(let isThere): return ["kind": "voice", "isThere": .bool(isThere)]
        case .command(let command): return ["kind": "command", "command": command.traceJSON]
        case .toolAnswered(let result): return ["kind": "toolAnswered", "result": result.traceJSON]
        case .judged(let id, let isAllowed):
            return ["kind": "judged", "judgement": .integer(id), "isAllowed": .bool(isAllowed)]
        }
    }

    /// An input of a trace.
    ///
    /// - Throws: `WireError` if it is not an input.
    init(traceJSON json: JSONValue) throws(WireError) {
        let input = try WireObject(json, "input")
        switch try input.string("kind") {
        case "start": self = .start
        case "opened": self = .opened(try input.count("session"))
        case "failed":
            self = .failed(
                try input.count("session"), try SessionLifecycle.Failure(traceJSON: try input.required("failure")))
        case "server":
            let event = TraceRedaction.restored(try input.required("event"))
            let isUnknown = input["isUnknown"]?.bool == true
            self = .server(
                try input.count("session"),
                isUnknown
                    ? ServerEvent(
                        .unknown(type: event["type"]?.string ?? "", event), id: event["event_id"]?.string)
                    : try ServerEvent(json: event))
        case "captured":
            guard let sound = TraceRedaction.silence(try input.required("sound")) else {
                throw WireError("input", field: "sound", expected: "sound")
            }
            self = .captured(sound)
        case "heard": self = .heard(frames: try input.count("frames"))
        case "flushed": self = .flushed(heard: try input.count("frames"))
        case "voice": self = .voice(try input.bool("isThere"))
        case "command": self = .command(try VoiceCommand(traceJSON: try input.required("command")))
        case "toolAnswered": self = .toolAnswered(try ToolResult(traceJSON: try input.required("result")))
        case "judged": self = .judged(id: try input.count("judgement"), isAllowed: try input.bool("isAllowed"))
        default: throw WireError("input", field: "kind", expected: "kind that is known")
        }
    }
}

extension VoiceCommand {
    fileprivate var traceJSON: JSONValue {
        switch self {
        case .say(let number, let id, let text):
            ["kind": "say", "number": .integer(number), "id": .string(id), "text": .string(text)]
        case .beginTurn: ["kind": "beginTurn"]
        case .endTurn: ["kind": "endTurn"]
        case .interrupt(let number): ["kind": "interrupt", "number": .integer(number)]
        case .windUp(let number, let limit):
            ["kind": "windUp", "number": .integer(number), "within": .integer(limit.traceNanoseconds)]
        case .goOn: ["kind": "goOn"]
        case .fill(let id, let text): ["kind": "fill", "id": .string(id), "text": .string(text)]
        case .tools(let tools): ["kind": "tools", "tools": .array(tools.map(\.json))]
        case .stop: ["kind": "stop"]
        }
    }

    fileprivate init(traceJSON json: JSONValue) throws(WireError) {
        let command = try WireObject(json, "command")
        switch try command.string("kind") {
        case "say":
            self = .say(
                try command.count("number"), id: try command.string("id"), text: try command.string("text"))
        case "beginTurn": self = .beginTurn
        case "endTurn": self = .endTurn
        case "interrupt": self = .interrupt(try command.count("number"))
        case "windUp":
            self = .windUp(
                try command.count("number"), within: try command.duration("within"))
        case "goOn": self = .goOn
        case "fill": self = .fill(id: try command.string("id"), text: try command.string("text"))
        case "tools":
            var tools: [RealtimeTool] = []
            for tool in command.array("tools") { tools.append(try RealtimeTool(json: tool)) }
            self = .tools(tools)
        case "stop": self = .stop
        default: throw WireError("command", field: "kind", expected: "kind that is known")
        }
    }
}

extension SessionLifecycle.Failure {
    var traceJSON: JSONValue {
        switch self {
        case .broken(let wait): ["kind": "broken", "wait": wait.map { .integer($0.traceNanoseconds) } ?? .null]
        case .refused(let words): ["kind": "refused", "words": .string(words)]
        }
    }

    init(traceJSON json: JSONValue) throws(WireError) {
        let failure = try WireObject(json, "failure")
        switch try failure.string("kind") {
        case "broken": self = .broken(retryAfter: failure["wait"] == nil ? nil : try failure.duration("wait"))
        case "refused": self = .refused(try failure.string("words"))
        default: throw WireError("failure", field: "kind", expected: "kind that is known")
        }
    }
}

extension ToolResult {
    var traceJSON: JSONValue {
        ["call_id": .string(callID), "output": .string(output), "isError": .bool(isError)]
    }

    init(traceJSON json: JSONValue) throws(WireError) {
        let result = try WireObject(json, "result")
        self.init(
            callID: try result.string("call_id"), output: try result.string("output"),
            isError: try result.bool("isError"))
    }
}
