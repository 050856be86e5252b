// SPDX-License-Identifier: MIT

import StructuredJSON

extension Scenario.Fault {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        let kinds = [
            "status", "cut", "end", "malformed", "duplicate", "unknown_event", "stall", "content_type",
            "close", "expire", "binary", "cancel", "refuse",
        ]
        guard let kind = reader.value.object?.names.first(where: kinds.contains), let fault = reader.member(kind) else {
            throw reader.error("a fault is one of \(kinds.joined(separator: ", "))")
        }
        if kind == "status" {
            try reader.check("status", "retry", "body")
            self = .status(
                try fault.integer(400...599), retry: try reader.member("retry").map(Scenario.Retry.init),
                body: reader.member("body")?.value)
            return
        }
        try reader.check(kind)
        self = try Self.streamFault(kind, fault)
    }

    private static func streamFault(_ kind: String, _ reader: ScenarioReader) throws(ScenarioError) -> Self {
        switch kind {
        case "cut":
            try reader.check("after_events", "after_bytes")
            if let bytes = reader.member("after_bytes") { return .cutBytes(try bytes.integer(0...Int.max)) }
            return .cut(afterEvents: try place(reader, "after_events"))
        case "end":
            try reader.check("after_events")
            return .end(afterEvents: try place(reader, "after_events"))
        case "malformed":
            try reader.check("at_event", "data")
            return .malformed(atEvent: try place(reader, "at_event"), data: try reader.required("data").string())
        case "duplicate":
            try reader.check("at_event")
            return .duplicate(atEvent: try place(reader, "at_event"))
        case "unknown_event":
            try reader.check("at_event", "event")
            let event = try reader.required("event")
            _ = try event.required("type").string()
            return .unknownEvent(atEvent: try place(reader, "at_event"), event.value)
        case "stall":
            try reader.check("after_events", "for_ms")
            return .stall(
                afterEvents: try place(reader, "after_events"), try reader.member("for_ms")?.milliseconds())
        case "close":
            try reader.check("after_events", "code", "reason")
            return .close(
                afterEvents: try place(reader, "after_events"), code: try reader.required("code").integer(1000...4999),
                reason: try reader.member("reason")?.string() ?? "")
        case "expire":
            try reader.check("after_events")
            return .expire(afterEvents: try place(reader, "after_events"))
        case "binary":
            try reader.check("at_event", "count")
            return .binary(
                atEvent: try place(reader, "at_event"), count: try reader.member("count")?.integer(0...1_000_000) ?? 16)
        case "cancel":
            try reader.check("after_events")
            return .cancel(afterEvents: try place(reader, "after_events"))
        case "refuse":
            try reader.check("code", "message")
            let code = try reader.required("code").string()
            guard let message = try reader.member("message")?.string() else { return .refuse(code: code) }
            return .refuse(code: code, message: message)
        default: return .contentType(try reader.string())
        }
    }

    private static func place(_ reader: ScenarioReader, _ name: String) throws(ScenarioError) -> Int {
        try reader.required(name).integer(0...1_000_000)
    }
}

extension Scenario.Retry {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        try reader.check("seconds", "date_in_seconds", "milliseconds", "reset_requests", "reset_tokens")
        if let seconds = reader.member("seconds") {
            self = .seconds(try seconds.integer(0...86_400))
        } else if let seconds = reader.member("date_in_seconds") {
            self = .date(try seconds.integer(-86_400...86_400))
        } else if let milliseconds = reader.member("milliseconds") {
            self = .milliseconds(try milliseconds.integer(0...86_400_000))
        } else {
            self = .reset(
                requests: try reader.required("reset_requests").string(),
                tokens: try reader.member("reset_tokens")?.string() ?? "0s")
        }
    }
}
