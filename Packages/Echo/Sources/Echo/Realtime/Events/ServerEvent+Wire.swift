// SPDX-License-Identifier: MIT

extension ServerEvent {
    /// Reads one message of the session.
    ///
    /// - Throws: `JSONParsingError` if it is not JSON, `WireError` if a required field is missing. An unknown kind is
    ///   not an error.
    init(parsing text: String) throws {
        try self.init(json: try JSONValue(parsing: text))
    }

    /// Reads an event.
    ///
    /// - Throws: `WireError` if a required field is missing.
    init(json: JSONValue) throws(WireError) {
        let object = try WireObject(json, "event").object
        let type = object["type"]?.string ?? ""
        if let reader = ServerEventTable.readers[type] {
            self.init(try reader(try WireObject(json, type)), id: object["event_id"]?.string)
            self.json = json
        } else {
            self.init(unknown: json)
        }
    }

    /// An event of an unknown kind, or one that lacks what its kind must have.
    init(unknown json: JSONValue) {
        self.init(.unknown(type: json["type"]?.string ?? "", json), id: json["event_id"]?.string)
        self.json = json
    }
}

extension WireObject {
    func member(_ name: String) throws(WireError) -> WireObject {
        try WireObject(try required(name), "\(subject).\(name)")
    }

    func item() throws(WireError) -> ResponseItem { try ResponseItem(json: try required("item"), in: .realtime) }

    func realtimeResponse() throws(WireError) -> RealtimeResponse { try RealtimeResponse(try member("response")) }

    func content() throws(WireError) -> ContentPart { try ContentPart(json: try required("part"), in: .realtime) }

    /// The place of an item: null is the beginning; a server that omits it appends.
    var messagePlace: MessagePlace {
        switch object["previous_item_id"] {
        case .string(let id)?: id == "root" ? .beginning : .after(id)
        case .null?: .beginning
        default: .end
        }
    }

    func answerPlace() throws(WireError) -> AnswerPlace {
        AnswerPlace(
            responseID: optionalString("response_id") ?? "", itemID: try string("item_id"),
            outputIndex: place("output_index"), contentIndex: place("content_index"))
    }

    func transcript() throws(WireError) -> RealtimeTranscript {
        RealtimeTranscript(
            itemID: try string("item_id"), contentIndex: place("content_index"), text: try string("transcript"),
            usage: TranscriptionUsage(json: self["usage"]),
            languages: array("languages").compactMap { $0["code"]?.string ?? $0.string }, logprobs: array("logprobs"))
    }

    func segment() throws(WireError) -> RealtimeTranscriptSegment {
        RealtimeTranscriptSegment(
            id: optionalString("id") ?? "", itemID: try string("item_id"), contentIndex: place("content_index"),
            text: try string("text"), speaker: optionalString("speaker") ?? "", start: self["start"]?.double ?? 0,
            end: self["end"]?.double ?? 0)
    }

    func rateLimits() -> [RealtimeRateLimit] {
        array("rate_limits").map { limit in
            RealtimeRateLimit(
                name: limit["name"]?.string ?? "", limit: limit["limit"]?.integer,
                remaining: limit["remaining"]?.integer, resetSeconds: limit["reset_seconds"]?.double)
        }
    }
}
