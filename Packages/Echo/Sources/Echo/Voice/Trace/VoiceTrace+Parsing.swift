// SPDX-License-Identifier: MIT

extension VoiceTrace {
    /// The conversations of a trace file, in the order of their recording.
    ///
    /// - Throws: ``VoiceTraceError``. A missing or cut last line is not an error, see ``isCut``.
    public static func conversations(in bytes: [UInt8]) throws(VoiceTraceError) -> [VoiceTrace] {
        guard bytes.count <= maximumSize else { throw .tooLarge }
        var reader = Reader()
        var start = 0
        var line = 0
        while start < bytes.count {
            line += 1
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
            let text = Array(bytes[start..<(end ?? bytes.count)])
            guard let end else {
                reader.cut()
                break
            }
            if !text.isEmpty { try reader.take(text, line: line) }
            start = end + 1
        }
        try reader.end()
        return reader.traces
    }

    private struct Reader {
        var traces: [VoiceTrace] = []
        private var sound = 0
        /// The fault of the line before, which may be the cut end of a conversation.
        private var damage: VoiceTraceError?

        mutating func take(_ text: [UInt8], line: Int) throws(VoiceTraceError) {
            let object: JSONObject
            do throws(VoiceTraceError) {
                object = try Self.object(text, line)
            } catch {
                if traces.isEmpty { throw .foreign }
                if let damage { throw damage }
                damage = error
                return
            }
            if object[mark] != nil {
                if damage != nil { traces[traces.count - 1].isCut = true }
                damage = nil
                traces.append(try VoiceTrace.header(object, line: line))
                sound = 0
            } else if let damage {
                throw damage
            } else if traces.isEmpty {
                throw .foreign
            } else if object["isFull"]?.bool == true {
                traces[traces.count - 1].isCut = true
            } else {
                try step(object, line)
            }
        }

        /// Handles the end of the lines.
        func end() throws(VoiceTraceError) {
            if let damage { throw damage }
            if traces.isEmpty { throw .foreign }
        }

        /// Handles text after the last line feed.
        mutating func cut() { if !traces.isEmpty { traces[traces.count - 1].isCut = true } }

        private static func object(_ text: [UInt8], _ line: Int) throws(VoiceTraceError) -> JSONObject {
            do throws(JSONParsingError) {
                if let object = try JSONValue(parsing: text).object { return object }
            } catch {
                throw .damaged(line: line, reason: error.description)
            }
            throw .damaged(line: line, reason: "It is no JSON object.")
        }

        private mutating func step(_ object: JSONObject, _ line: Int) throws(VoiceTraceError) {
            let actions = object["actions"] ?? []
            guard let at = object["at"]?.integer, (0...maximumTime).contains(at), actions.array != nil else {
                throw .damaged(line: line, reason: "It has no time or no actions.")
            }
            let rest = object["attoseconds"]?.integer ?? 0
            guard (0..<1_000_000_000).contains(rest) else {
                throw .damaged(line: line, reason: "Its time has \(rest) attoseconds.")
            }
            let time = .nanoseconds(at) + Duration(secondsComponent: 0, attosecondsComponent: Int64(rest))
            let index = traces.count - 1
            if let last = traces[index].steps.last, last.at > time {
                throw .damaged(line: line, reason: "It is earlier than the line before.")
            }
            let step = Step(line: line, at: time, content: object, actions: actions)
            // Report an unreadable line before anything runs.
            if let input = try step.input() { sound += Self.sound(input) }
            guard sound <= maximumSound else { throw .tooLarge }
            traces[index].steps.append(step)
        }

        private static func sound(_ input: VoiceInput) -> Int {
            switch input {
            case .captured(let sound): sound.count
            case .server(_, let event): if case .audioDelta(_, let sound) = event.detail { sound.count } else { 0 }
            default: 0
            }
        }
    }

    /// A century, in nanoseconds: beyond it nothing was recorded.
    static let maximumTime = TraceCoding.maximumSeconds * 1_000_000_000

    private static func header(_ object: JSONObject, line: Int) throws(VoiceTraceError) -> VoiceTrace {
        guard let version = object[mark]?.integer else { throw .damaged(line: line, reason: "It has no version.") }
        guard version == Self.version else { throw .unknownVersion(version) }
        do throws(WireError) {
            let header = try WireObject(.object(object), "header")
            let history = try header.array("history").map { item throws(WireError) in
                try ResponseItem(json: TraceRedaction.restored(item), in: .realtime)
            }
            return VoiceTrace(
                configuration: try TraceCoding.value(
                    VoiceMachine.Configuration.self, from: try header.required("machine"), "header"),
                history: history, knownMessages: header.array("knownMessages").compactMap { $0["id"]?.string })
        } catch {
            throw .damaged(line: line, reason: error.description)
        }
    }
}
