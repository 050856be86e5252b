// SPDX-License-Identifier: MIT

/// Writes down the inputs and the actions of a voice conversation's machine.
///
/// The first line has the machine's configuration; each of the others an input, its time, and the actions:
///
/// ```
/// {"parleyVoiceTrace":1,"machine":{…},"history":[…],"knownMessages":[…]}
/// {"at":1250000000,"input":{"kind":"captured","sound":{"bytes":960,"sha256":"…"}},"actions":[…]}
/// ```
///
/// Times are nanoseconds of the machine's clock, and the remaining attoseconds if there are any. A line without an
/// input is of ``VoiceMachine/advance(to:)``. Private data is removed before a line is made.
struct VoiceTraceRecorder: Sendable {
    private let sink: any VoiceTraceSink

    /// Begins a trace of a machine with these arguments.
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

    /// Records a step of the machine.
    ///
    /// - Parameters:
    ///   - input: The input; `nil` for ``VoiceMachine/advance(to:)``.
    ///   - now: The time, by the machine's clock.
    ///   - actions: The machine's actions.
    func took(_ input: VoiceInput?, at now: Duration, actions: [VoiceAction]) {
        var line: JSONObject = ["at": .integer(now.traceNanoseconds)]
        let rest = now.traceAttoseconds
        if rest != 0 { line["attoseconds"] = .integer(rest) }
        line.set("input", input.map { TraceRedaction.redacted($0.traceJSON) })
        if !actions.isEmpty { line["actions"] = Self.json(of: actions) }
        sink.take(JSONValue.object(line).text)
    }

    /// Actions in the form of a trace.
    static func json(of actions: [VoiceAction]) -> JSONValue {
        .array(actions.map { TraceRedaction.redacted($0.traceJSON) })
    }
}
