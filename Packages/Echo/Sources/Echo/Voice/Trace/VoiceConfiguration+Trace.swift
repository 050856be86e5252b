// SPDX-License-Identifier: MIT

extension VoiceMachine.Configuration {
    /// The configuration in the form of a trace, before redaction.
    var traceJSON: JSONValue {
        var object: JSONObject = [
            "session": session.json, "mode": .string(session.turnDetection.traceName), "turns": turns.traceJSON,
            "sessions": sessions.traceJSON, "answers": answers.traceJSON, "transcripts": transcripts.traceJSON,
            "hasGuardrail": .bool(hasGuardrail), "lead": .integer(lead.traceNanoseconds),
            "maximumRounds": .integer(maximumRounds),
            "localVoice": .integer(localVoice.traceNanoseconds), "name": .string(names),
            "seed": .integer(Int(bitPattern: UInt(seed))),
        ]
        object.set("filler", filler.map { ["delay": .integer($0.delay.traceNanoseconds)] })
        object.set("replacement", replacement.map(JSONValue.string))
        object.set("contextLimit", contextLimit.map(JSONValue.integer))
        object["requestLimits"] = requestLimits.traceJSON
        return .object(object)
    }

    /// The configuration of a trace.
    ///
    /// - Throws: `WireError` if it is not a configuration.
    init(traceJSON json: JSONValue) throws(WireError) {
        self.init()
        let object = try WireObject(json, "machine")
        session = try RealtimeSessionConfiguration(
            traceJSON: try object.required("session"), mode: try object.string("mode"))
        turns = try TurnManager.Options(traceJSON: try object.required("turns"))
        sessions = try SessionLifecycle.Limits(traceJSON: try object.required("sessions"))
        answers = try ResponseGate.Limits(traceJSON: try object.required("answers"))
        transcripts = try TranscriptOrder.Limits(traceJSON: try object.required("transcripts"))
        hasGuardrail = try object.bool("hasGuardrail")
        lead = try object.duration("lead")
        maximumRounds = try object.count("maximumRounds")
        localVoice = try object.duration("localVoice")
        names = try object.string("name")
        seed = UInt64(UInt(bitPattern: try object.integer("seed")))
        if let filler = object["filler"] {
            self.filler = VoiceConfiguration.Filler()
            self.filler?.delay = try WireObject(filler, "filler").duration("delay")
        }
        replacement = object.optionalString("replacement")
        if object["contextLimit"] != nil { contextLimit = try object.count("contextLimit") }
        if let limits = object["requestLimits"] { requestLimits = try RequestLimits(traceJSON: limits) }
    }
}

extension TurnManager.Options {
    fileprivate var traceJSON: JSONValue {
        var object: JSONObject = [
            "falseInterruption": .integer(falseInterruption.traceNanoseconds),
            "certainInterruption": .integer(certainInterruption.traceNanoseconds),
            "resumesAnswers": .bool(resumesAnswers), "minimumTurn": .integer(minimumTurn.traceNanoseconds),
            "commit": .integer(commit.traceNanoseconds),
        ]
        object.set("idleTimeout", idleTimeout.map { .integer($0.traceNanoseconds) })
        object.set("longestTurn", longestTurn.map { .integer($0.traceNanoseconds) })
        return .object(object)
    }

    fileprivate init(traceJSON json: JSONValue) throws(WireError) {
        self.init()
        let object = try WireObject(json, "turns")
        falseInterruption = try object.duration("falseInterruption")
        certainInterruption = try object.duration("certainInterruption")
        resumesAnswers = try object.bool("resumesAnswers")
        minimumTurn = try object.duration("minimumTurn")
        commit = try object.duration("commit")
        if object["idleTimeout"] != nil { idleTimeout = try object.duration("idleTimeout") }
        longestTurn = object["longestTurn"] == nil ? nil : try object.duration("longestTurn")
    }
}

extension RequestLimits {
    fileprivate var traceJSON: JSONValue {
        var object: JSONObject = [
            "followsServer": .bool(followsServer), "longestWait": .integer(longestWait.traceNanoseconds),
        ]
        object.set("requestsPerMinute", requestsPerMinute.map(JSONValue.integer))
        object.set("tokensPerMinute", tokensPerMinute.map(JSONValue.integer))
        return .object(object)
    }

    fileprivate init(traceJSON json: JSONValue) throws(WireError) {
        let object = try WireObject(json, "requestLimits")
        self.init(
            requestsPerMinute: object["requestsPerMinute"]?.integer,
            tokensPerMinute: object["tokensPerMinute"]?.integer,
            followsServer: try object.bool("followsServer"), longestWait: try object.duration("longestWait"))
    }
}

extension SessionLifecycle.Limits {
    fileprivate var traceJSON: JSONValue {
        [
            "rollover": .integer(rollover.traceNanoseconds), "lastSwitch": .integer(lastSwitch.traceNanoseconds),
            "connect": .integer(connect.traceNanoseconds), "firstPause": .integer(firstPause.traceNanoseconds),
            "longestPause": .integer(longestPause.traceNanoseconds), "attempts": .integer(attempts),
            "stable": .integer(stable.traceNanoseconds),
        ]
    }

    fileprivate init(traceJSON json: JSONValue) throws(WireError) {
        self.init()
        let object = try WireObject(json, "sessions")
        rollover = try object.duration("rollover")
        lastSwitch = try object.duration("lastSwitch")
        connect = try object.duration("connect")
        firstPause = try object.duration("firstPause")
        longestPause = try object.duration("longestPause")
        attempts = try object.count("attempts")
        stable = try object.duration("stable")
    }
}

extension ResponseGate.Limits {
    fileprivate var traceJSON: JSONValue {
        [
            "request": .integer(request.traceNanoseconds), "cancel": .integer(cancel.traceNanoseconds),
            "serverResponse": .integer(serverResponse.traceNanoseconds), "answer": .integer(answer.traceNanoseconds),
            "pause": .integer(pause.traceNanoseconds),
        ]
    }

    fileprivate init(traceJSON json: JSONValue) throws(WireError) {
        self.init()
        let object = try WireObject(json, "answers")
        request = try object.duration("request")
        cancel = try object.duration("cancel")
        serverResponse = try object.duration("serverResponse")
        answer = try object.duration("answer")
        pause = try object.duration("pause")
    }
}

extension TranscriptOrder.Limits {
    fileprivate var traceJSON: JSONValue {
        [
            "transcript": .integer(transcript.traceNanoseconds), "answer": .integer(answer.traceNanoseconds),
            "predecessor": .integer(predecessor.traceNanoseconds),
        ]
    }

    fileprivate init(traceJSON json: JSONValue) throws(WireError) {
        self.init()
        let object = try WireObject(json, "transcripts")
        transcript = try object.duration("transcript")
        answer = try object.duration("answer")
        predecessor = try object.duration("predecessor")
    }
}
