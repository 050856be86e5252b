// SPDX-License-Identifier: MIT

/// Writes down the inputs and the actions of a voice conversation's machine.
///
/// The first line has the machine's configuration; each of the others an input, its time, and the actions:
///
/// ```
/// {"parleyVoiceTrace":4,"machine":{…},"history":[…],"knownMessages":[…]}
/// {"at":1250000000,"captured":{"bytes":960,"sha256":"…"},"actions":[…]}
/// {"at":1270000000,"session":1,"event":{"type":"response.created",…}}
/// {"at":1280000000,"input":{"heard":{"frames":480}}}
/// ```
///
/// Times are nanoseconds of the machine's clock, and the remaining attoseconds if there are any. `event` is the server's
/// own text. A line without an input is of ``VoiceMachine/advance(to:)``. Private data is removed before a line is made.
struct VoiceTraceRecorder: Sendable {
    private let sink: any VoiceTraceSink

    /// Begins a trace of a machine with these arguments.
    init(
        sink: any VoiceTraceSink, configuration: VoiceMachine.Configuration, history: [ResponseItem],
        knownMessages: [String]
    ) {
        self.sink = sink
        let line: JSONObject = [
            VoiceTrace.mark: .integer(VoiceTrace.version), "machine": TraceCoding.json(configuration),
            "history": TraceRedaction.redacted(.array(history.map { $0.json(in: .realtime) })),
            "knownMessages": TraceRedaction.redacted(.array(knownMessages.map { ["id": .string($0)] })),
        ]
        sink.take(JSONValue.object(line).text)
    }

    /// Records a step of the machine.
    ///
    /// - Parameters:
    ///   - input: The input; `nil` for ``VoiceMachine/advance(to:)``.
    ///   - now: The time, by the machine's clock.
    ///   - actions: The machine's actions.
    func record(_ input: VoiceInput?, at now: Duration, actions: [VoiceAction]) {
        var line: JSONObject = ["at": .integer(now.traceNanoseconds)]
        let rest = now.traceAttoseconds
        if rest != 0 { line["attoseconds"] = .integer(rest) }
        switch input {
        case .captured(let sound)?: line["captured"] = TraceRedaction.sound(sound)
        case .server(let session, let event)?:
            line["session"] = .integer(session)
            line["event"] = event.json.map { TraceRedaction.redacted($0) } ?? .null
            if case .unknown = event.detail { line["isUnknown"] = true }
        case let input?: line["input"] = TraceCoding.json(input)
        case nil: break
        }
        if !actions.isEmpty { line["actions"] = .array(actions.map { TraceCoding.json($0) }) }
        sink.take(JSONValue.object(line).text)
    }
}

extension VoiceInput {
    /// The input of a trace's line; `nil` for ``VoiceMachine/advance(to:)``.
    ///
    /// - Throws: `WireError` if it is not an input.
    init?(traceLine line: JSONObject) throws(WireError) {
        if let captured = line["captured"] {
            guard let sound = TraceRedaction.silence(captured) else {
                throw WireError("line", field: "captured", expected: "sound")
            }
            self = .captured(sound)
        } else if let event = line["event"] {
            guard let session = line["session"]?.integer, (0...1 << 40).contains(session) else {
                throw WireError("line", field: "session", expected: "count")
            }
            let json = TraceRedaction.restored(event)
            self = .server(
                session, line["isUnknown"] == true ? ServerEvent(unknown: json) : try ServerEvent(json: json))
        } else if let input = line["input"] {
            self = try TraceCoding.value(VoiceInput.self, from: input, "input")
        } else {
            return nil
        }
    }
}
