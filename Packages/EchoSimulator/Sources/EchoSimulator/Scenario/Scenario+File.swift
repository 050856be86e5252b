// SPDX-License-Identifier: MIT

public import StructuredJSON

extension Scenario {
    /// Reads a scenario's file.
    ///
    /// - Throws: `ScenarioError` with the path of the first mistake.
    public init(parsing bytes: [UInt8]) throws(ScenarioError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: bytes) } catch {
            throw ScenarioError(path: "", message: "it is not JSON: \(error)")
        }
        try self.init(json: json)
    }

    /// Reads a scenario.
    ///
    /// - Throws: `ScenarioError` with the path of the first mistake.
    public init(json: JSONValue) throws(ScenarioError) {
        let reader = ScenarioReader(json)
        try reader.check("name", "dialect", "models", "ordered", "otherwise", "turns")
        name = try reader.member("name")?.string() ?? ""
        dialect = try reader.member("dialect")?.choice() ?? .openAI
        for model in try reader.member("models")?.elements() ?? [] { models.append(try model.string()) }
        isOrdered = try reader.member("ordered")?.boolean() ?? false
        otherwise = try reader.member("otherwise")?.choice() ?? .plausible
        for turn in try reader.member("turns")?.elements() ?? [] { turns.append(try Turn(turn)) }
    }

    static func times(_ reader: ScenarioReader) throws(ScenarioError) -> Int {
        reader.value.string == "any" ? .max : try reader.integer(1...1_000_000)
    }
}

extension Scenario.Turn {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        try reader.check(
            "expect", "times", "answer", "events", "json", "status", "transcript", "faults", "pace",
            "speech", "session")
        let times = try reader.member("times").map(Scenario.times) ?? 1
        var faults: [Scenario.Fault] = []
        for fault in try reader.member("faults")?.elements() ?? [] { faults.append(try Scenario.Fault(fault)) }
        self.init(
            try Self.reply(reader), match: try reader.member("expect").map(Scenario.Match.init) ?? Scenario.Match(),
            times: times, faults: faults, pace: try reader.member("pace").map(Scenario.Pace.init) ?? Scenario.Pace(),
            speech: try reader.member("speech").map(Scenario.Speech.init),
            session: try reader.member("session").map(Scenario.Session.init))
    }

    private static func reply(_ reader: ScenarioReader) throws(ScenarioError) -> Scenario.Reply {
        let kinds = ["answer", "events", "json", "transcript"].filter { reader.member($0) != nil }
        guard kinds.count <= 1 else {
            throw reader.error("a turn has one of answer, events, json and transcript, not \(kinds.count)")
        }
        if reader.member("status") != nil, kinds != ["json"] {
            throw reader.error("status goes with json; for errors of the API's use faults")
        }
        if let answer = reader.member("answer") { return .answer(try Scenario.Answer(answer)) }
        if let json = reader.member("json") {
            return .json(json.value, status: try reader.member("status")?.integer(200...599) ?? 200)
        }
        if let text = reader.member("transcript") { return .transcript(try text.string()) }
        guard let events = try reader.member("events")?.elements() else { return .plausible }
        for event in events { _ = try event.required("type").string() }
        return .events(events.map(\.value))
    }
}

extension Scenario.Match {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        try reader.check("path", "says", "body")
        self.init(
            path: try reader.member("path")?.string(), says: try reader.member("says")?.string(),
            body: reader.member("body")?.value)
    }
}

extension Scenario.Pace {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        try reader.check("chunk", "sound_ms", "delay_ms", "first_delay_ms", "last_delay_ms")
        self.init(
            chunk: try reader.member("chunk")?.integer(1...1_000_000),
            sound: .milliseconds(try reader.member("sound_ms")?.integer(1...60_000) ?? 200),
            delay: try reader.member("delay_ms")?.milliseconds() ?? .zero,
            firstDelay: try reader.member("first_delay_ms")?.milliseconds() ?? .zero,
            lastDelay: try reader.member("last_delay_ms")?.milliseconds() ?? .zero)
    }
}

extension Scenario.Speech {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        if let text = reader.value.string {
            self.init(transcript: text)
            return
        }
        try reader.check("transcript", "moment", "delay_ms", "outcome", "late_item")
        self.init(
            transcript: try reader.member("transcript")?.string(),
            moment: try reader.member("moment")?.choice() ?? .before,
            delay: try reader.member("delay_ms")?.milliseconds() ?? .zero,
            outcome: try reader.member("outcome")?.choice() ?? .completed,
            isItemLate: try reader.member("late_item")?.boolean() ?? false)
    }
}

extension Scenario.Session {
    init(_ reader: ScenarioReader) throws(ScenarioError) {
        try reader.check("expires_after_ms", "rate_limits", "transcribes_items", "cues")
        var cues: [Scenario.Cue] = []
        for cue in try reader.member("cues")?.elements() ?? [] { cues.append(try Scenario.Cue(cue)) }
        self.init(
            expiresAfter: try reader.member("expires_after_ms")?.milliseconds(),
            rateLimits: try reader.member("rate_limits")?.elements().map(\.value),
            transcribesItems: try reader.member("transcribes_items")?.boolean() ?? false, cues: cues)
    }
}
