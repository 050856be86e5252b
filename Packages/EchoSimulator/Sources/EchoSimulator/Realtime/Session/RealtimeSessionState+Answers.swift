// SPDX-License-Identifier: MIT

import StructuredJSON

/// `response.…`: answers begin, wait for the user's words, and end.
extension RealtimeSessionState {
    /// The answer that is part of the conversation; there is one at a time.
    var activeAnswer: RealtimeAnswer? { answers.first(where: \.isInConversation) }

    mutating func createAnswer(_ request: JSONValue, about: String?) throws(RealtimeProblem) {
        guard settings.type == "realtime" else {
            throw RealtimeProblem(
                code: "invalid_value", message: "A transcription session does not answer.", param: "type")
        }
        let isInConversation = request["conversation"]?.string != "none"
        if isInConversation, let active = activeAnswer { throw .alreadyActive(active.id) }
        try RealtimeSettings.check(modalities: request["output_modalities"], at: "response.output_modalities")
        if let metadata = request["metadata"]?.object, metadata.count > 16 {
            throw RealtimeProblem(
                code: "invalid_value", message: "Metadata are at most 16.", param: "response.metadata")
        }
        var reading: [RealtimeItems.Item]?
        if let input = request["input"]?.array {
            var items: [RealtimeItems.Item] = []
            for (place, item) in input.enumerated() { items.append(try readItem(item, at: "response.input[\(place)]")) }
            reading = items
        }
        begin(request, reading: reading, isInConversation: isInConversation, about: about)
    }

    /// The server answers the user's words by itself.
    mutating func answerByItself() {
        guard activeAnswer == nil else { return }
        begin([:], reading: nil, isInConversation: true, about: nil)
    }

    private mutating func begin(
        _ request: JSONValue, reading: [RealtimeItems.Item]?, isInConversation: Bool, about: String?
    ) {
        let voice = request["audio"]?["output"]?["voice"] ?? settings.output["voice"] ?? .null
        let fields: JSONObject = [
            "conversation_id": isInConversation ? .string(conversationID) : .null,
            "output_modalities": request["output_modalities"] ?? settings.general["output_modalities"] ?? ["audio"],
            "max_output_tokens": request["max_output_tokens"] ?? settings.general["max_output_tokens"] ?? "inf",
            "audio": [
                "output": [
                    "format": request["audio"]?["output"]?["format"] ?? settings.output["format"] ?? .null,
                    "voice": voice["id"] ?? voice,
                ]
            ],
            "metadata": request["metadata"] ?? .null,
        ]
        var answer = RealtimeAnswer(
            id: identifier("resp_"), fields: fields, isInConversation: isInConversation, reading: reading,
            tools: request["tools"] ?? settings.general["tools"],
            toolChoice: request["tool_choice"] ?? settings.general["tool_choice"],
            instructions: request["instructions"]?.string ?? settings.general["instructions"]?.string ?? "",
            body: ["session": json, "response": request])
        let context = reading ?? items.all
        answer.input = RealtimeTokens(reading: context, instructions: answer.instructions, tools: answer.tools)
        let waitsFor = context.last { $0.role == "user" }.map(\.id).flatMap {
            hearings[$0]?.isKnown == false ? $0 : nil
        }
        answer.phase = .waiting(context.last { $0.role == "user" }?.id)
        if isInConversation {
            answerHeardAt = nil
            // The turn's faults count from here if the words are known already.
            if waitsFor == nil { guard chooseTurn(&answer, about: about) else { return } }
        }
        answer.nextAt = now + answer.pace.firstDelay
        emit(["type": "response.created", "response": answer.json()])
        answers.append(answer)
    }

    /// Takes the scenario's turn for an answer.
    ///
    /// - Returns: True if the answer continues.
    private mutating func chooseTurn(_ answer: inout RealtimeAnswer, about: String? = nil) -> Bool {
        answer.hasChosen = true
        do throws(RealtimeProblem) {
            if answer.isInConversation, let spokenTurn {
                answer.turn = spokenTurn
                self.spokenTurn = nil
            } else {
                let prompt = RealtimePrompt.prompt(for: answer, in: self)
                answer.turn = try setup.take(.answer, prompt.userTexts.last, answer.body)
                if let turn = answer.turn { begin(turn) }
            }
            if let refusal = answer.turn?.refusal { throw refusal }
            return true
        } catch {
            complain(error, about: about)
            return false
        }
    }

    /// The time of an answer's next step; `nil` while it waits for something else than time.
    func nextStep(of answer: RealtimeAnswer) -> Duration? {
        switch answer.phase {
        case .waiting: isReady(answer) ? answer.nextAt : nil
        case .thinking: answer.isGivenUp ? now : nil
        case .speaking: answer.nextAt
        }
    }

    private func isReady(_ answer: RealtimeAnswer) -> Bool {
        guard case .waiting(let item?) = answer.phase, let hearing = hearings[item] else { return true }
        return hearing.isReady
    }

    /// Does an answer's next step if it is due.
    mutating func advanceAnswer(_ id: String) {
        guard let place = answers.firstIndex(where: { $0.id == id }), !isOver else { return }
        if answers[place].isGivenUp { return end(id, as: "cancelled", reason: "turn_detected") }
        guard let due = nextStep(of: answers[place]), due <= now else { return }
        if case .waiting = answers[place].phase { return think(id, place) }
        guard let step = answers[place].steps.popFirst() else { return finish(id) }
        say(step, at: place)
        // The step may have ended the answer.
        guard let place = answers.firstIndex(where: { $0.id == id }) else { return }
        answers[place].nextAt = now + answers[place].pace.delay
        if answers[place].isAtLastStep { answers[place].nextAt += answers[place].pace.lastDelay }
    }

    private mutating func think(_ id: String, _ place: Int) {
        var answer = answers[place]
        if !answer.hasChosen {
            let goesOn = chooseTurn(&answer)
            answers[place] = answer
            guard goesOn else { return end(id, as: "failed", reason: nil) }
        }
        answers[place].phase = .thinking
        let prompt = RealtimePrompt.prompt(for: answer, in: self)
        add(.answer(response: id, RealtimeAsk(turn: answer.turn, prompt: prompt, isSpoken: answer.isSpoken)))
    }

    /// Takes the script of an answer, or the reason why there is none.
    mutating func compose(_ id: String, _ result: Result<RealtimeScript, RealtimeProblem>, at time: Duration) {
        advanceClock(to: time)
        guard let place = answers.firstIndex(where: { $0.id == id }), !isOver else { return }
        switch result {
        case .success(let script):
            var answer = answers[place]
            answer.plan(script) { identifier($0) }
            answer.nextAt = max(answer.nextAt, now)
            answers[place] = answer
        case .failure(let problem):
            answers[place].status = .failed(code: problem.code ?? "server_error", message: problem.message)
            answers[place].phase = .speaking
        }
    }

    mutating func cancelAnswer(_ id: String?) throws(RealtimeProblem) {
        guard let answer = id.map({ id in answers.first { $0.id == id } }) ?? activeAnswer else { throw .notActive }
        end(answer.id, as: "cancelled", reason: "client_cancelled")
    }

    /// The user begins to speak.
    mutating func interrupt() {
        if let activeAnswer { end(activeAnswer.id, as: "cancelled", reason: "turn_detected") }
    }
}
