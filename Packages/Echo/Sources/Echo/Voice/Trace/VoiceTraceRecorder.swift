// SPDX-License-Identifier: MIT

/// Writes down what the machine of a voice conversation was told, and what it answered.
///
/// The first line has the machine's configuration; each of the others an input, when it came, and the actions:
///
/// ```
/// {"parleyVoiceTrace":1,"machine":{…},"history":[…],"knownMessages":[…]}
/// {"at":1250000000,"input":{"kind":"captured","sound":{"bytes":960,"sha256":"…"}},"actions":[…]}
/// ```
///
/// Times are nanoseconds of the machine's clock, and attoseconds where there are some. A line without an input is of ``VoiceMachine/advance(to:)``. What is
/// private is taken out before a line is made.
struct VoiceTraceRecorder: Sendable {
    private let sink: any VoiceTraceSink

    /// Begins a trace of a machine that was made of these.
    init(
        sink: any VoiceTraceSink, configuration: VoiceMachine.Configuration, history: [RealtimeItem],
        knownMessages: [String]
    ) {
        self.sink = sink
        let header: JSONValue = [
            "machine": configuration.traceJSON, "history": .array(history.map(\.json)),
            "knownMessages": .array(knownMessages.map { ["id": .string($0)] }),
        ]
        var line: JSONObject = [VoiceTrace.mark: .integer(VoiceTrace.version)]
        line.add(TraceRedaction.redacted(header).object ?? [:])
        sink.take(JSONValue.object(line).text)
    }

    /// The machine took something.
    ///
    /// - Parameters:
    ///   - input: What it took; `nil` when it did what was due.
    ///   - now: When, by the machine's clock.
    ///   - actions: What it answered.
    func took(_ input: VoiceInput?, at now: Duration, actions: [VoiceAction]) {
        var line: JSONObject = ["at": .integer(now.traceNanoseconds)]
        let rest = now.traceAttoseconds
        if rest != 0 { line["attoseconds"] = .integer(rest) }
        line.set("input", input.map { TraceRedaction.redacted($0.traceJSON) })
        if !actions.isEmpty { line["actions"] = Self.json(of: actions) }
        sink.take(JSONValue.object(line).text)
    }

    /// Actions as they stand in a trace.
    static func json(of actions: [VoiceAction]) -> JSONValue {
        .array(actions.map { TraceRedaction.redacted($0.traceJSON) })
    }
}
