// SPDX-License-Identifier: MIT

import StructuredJSON

/// The recognition of one spoken turn.
struct RealtimeHearing: Sendable {
    var speech: Scenario.Speech
    /// The words; `nil` until they are known.
    var text: String?
    /// The reason why they will not be known.
    var problem: String?
    /// The time at which the transcript is sent; `nil` while it waits for the answer, and after it was sent.
    var dueAt: Duration?
    /// True if the transcript was sent, or will not be.
    var isSettled = false
    /// True if the item waits to be announced.
    var isUnannounced = false

    var isKnown: Bool { text != nil || problem != nil }

    /// True if an answer may continue.
    var isReady: Bool { isKnown && (isSettled || speech.moment != .before) }
}

extension RealtimeSessionState {
    /// Takes the words of a spoken turn.
    ///
    /// - Parameter result: The words, or the error.
    mutating func heard(_ id: String, _ result: Result<String, RealtimeProblem>, at time: Duration) {
        advanceClock(to: time)
        switch result {
        case .success(let text): heard(id, text)
        case .failure(let problem):
            hearings[id]?.problem = problem.message
            hearings[id]?.speech.outcome = .failed
            schedule(id)
        }
    }

    /// Has the words of an item found, and announces the item.
    mutating func hear(_ id: String, _ sound: [Int16], _ turn: Scenario.Turn?) {
        var hearing = RealtimeHearing(speech: turn?.speech ?? Scenario.Speech())
        if case .transcript(let text)? = turn?.reply { hearing.speech.transcript = text }
        hearing.isUnannounced = hearing.speech.isItemLate
        hearings[id] = hearing
        if !hearing.isUnannounced { announce(id) }
        if let text = hearing.speech.transcript {
            heard(id, text)
        } else {
            add(.hear(item: id, sound: sound))
        }
    }

    private mutating func heard(_ id: String, _ text: String) {
        hearings[id]?.text = text
        schedule(id)
    }

    private mutating func schedule(_ id: String) {
        guard var hearing = hearings[id] else { return }
        if !settings.transcribes || hearing.speech.outcome == .missing {
            hearing.isSettled = true
        } else if hearing.speech.moment == .before || hearing.speech.moment == .independent {
            hearing.dueAt = now + hearing.speech.delay
        }
        hearings[id] = hearing
        sendDueTranscripts()
    }

    /// Makes the transcripts due that waited for the answer to reach this moment.
    mutating func release(_ moment: Scenario.Speech.Moment) {
        for (id, hearing) in hearings where hearing.speech.moment == moment && hearing.isKnown && !hearing.isSettled {
            if hearing.dueAt == nil { hearings[id]?.dueAt = now + hearing.speech.delay }
        }
        sendDueTranscripts()
    }

    mutating func sendDueTranscripts() {
        defer { forgetSettled() }
        guard hearings.values.contains(where: { $0.dueAt.map { $0 <= now } ?? false }) else { return }
        // In the order of the conversation; a dictionary has no order.
        for id in items.all.map(\.id) {
            guard let hearing = hearings[id], let due = hearing.dueAt, due <= now else { continue }
            hearings[id]?.dueAt = nil
            hearings[id]?.isSettled = true
            sendTranscript(id, hearing)
        }
    }

    /// Keeps only the words of settled hearings.
    private mutating func forgetSettled() {
        for (id, hearing) in hearings where hearing.isKnown && hearing.isSettled && !hearing.isUnannounced {
            items[id]?.heard = hearing.text
            hearings[id] = nil
        }
    }

    private mutating func sendTranscript(_ id: String, _ hearing: RealtimeHearing) {
        let prefix = "conversation.item.input_audio_transcription."
        if hearing.speech.outcome == .failed {
            return emit([
                "type": .string(prefix + "failed"), "item_id": .string(id), "content_index": 0,
                "error": [
                    "type": "transcription_error", "code": "audio_unintelligible",
                    "message": .string(hearing.problem ?? "The audio could not be transcribed."), "param": nil,
                ],
            ])
        }
        let text = hearing.text ?? ""
        items[id]?.set("transcript", .string(text))
        let isWhisper = settings.transcriptionModel == "whisper-1"
        for delta in isWhisper ? [text] : TextChunks.split(text, size: nil) {
            emit([
                "type": .string(prefix + "delta"), "item_id": .string(id), "content_index": 0, "delta": .string(delta),
            ])
        }
        let length = items[id]?.milliseconds ?? 0
        let completed: JSONObject = [
            "type": .string(prefix + "completed"), "item_id": .string(id), "content_index": 0,
            "transcript": .string(text), "usage": Self.usage(text, milliseconds: length, isWhisper: isWhisper),
        ]
        emit(completed)
        if hearing.speech.outcome == .duplicate { emit(completed) }
    }

    private static func usage(_ text: String, milliseconds: Int, isWhisper: Bool) -> JSONValue {
        guard !isWhisper else { return ["type": "duration", "seconds": .integer((milliseconds + 999) / 1000)] }
        let (input, output) = ((milliseconds + 99) / 100, TokenEstimate.tokens(in: text))
        return [
            "type": "tokens", "total_tokens": .integer(input + output), "input_tokens": .integer(input),
            "output_tokens": .integer(output),
            "input_token_details": ["text_tokens": 0, "audio_tokens": .integer(input)],
        ]
    }

    /// Announces items that were held back until the answer's first.
    mutating func announceLateItems() {
        guard hearings.values.contains(where: \.isUnannounced) else { return }
        for id in items.all.map(\.id) where hearings[id]?.isUnannounced == true {
            hearings[id]?.isUnannounced = false
            announce(id)
        }
    }
}
