// SPDX-License-Identifier: MIT

import StructuredJSON

/// The sound that the client has appended and that is not committed yet.
struct RealtimeInput: Sendable {
    var detector: TurnDetector?
    /// The id of the item that the speech under way will become.
    var speechItem: String?
    private(set) var samples: [Int16] = []
    /// The number of samples that were appended in all.
    private(set) var total = 0

    var milliseconds: Int { total / SoundFormat.samplesPerMillisecond }
    /// The first sample of the buffer, counted from the session's first.
    private var start: Int { total - samples.count }

    mutating func append(_ more: [Int16]) {
        samples += more
        total += more.count
    }

    /// Drops the sound before that millisecond.
    mutating func drop(before milliseconds: Int) {
        samples.removeFirst(min(max(milliseconds * SoundFormat.samplesPerMillisecond - start, 0), samples.count))
    }

    /// Takes the sound before that millisecond, or all.
    mutating func take(before milliseconds: Int? = nil) -> [Int16] {
        let end = milliseconds.map { $0 * SoundFormat.samplesPerMillisecond - start } ?? samples.count
        let taken = Array(samples.prefix(max(0, end)))
        samples.removeFirst(taken.count)
        return taken
    }
}

/// `input_audio_buffer.…`
extension RealtimeSessionState {
    /// The samples that are kept while nobody speaks, at least: 31 s.
    private static let keptSilence = 31_000 * SoundFormat.samplesPerMillisecond

    mutating func append(_ audio: String) throws(RealtimeProblem) {
        guard audio.utf8.count <= 20 << 20 else {
            throw RealtimeProblem(
                code: "invalid_value", message: "At most 15 MiB of audio fit an event.", param: "audio")
        }
        guard let samples = settings.inputFormat.decode(audio), !samples.isEmpty else {
            throw RealtimeProblem(
                code: "invalid_value", message: "The audio is empty, or not base64 of whole samples.", param: "audio")
        }
        // In pieces, so that one large append gives the same events as many small ones.
        for place in stride(from: 0, to: samples.count, by: TurnDetector.frame) {
            let piece = Array(samples[place..<min(place + TurnDetector.frame, samples.count)])
            input.append(piece)
            for event in input.detector?.append(piece) ?? [] { handle(event) }
        }
        // Not for every piece of sound, since dropping moves all that is kept.
        if let detector = input.detector, !detector.isSpeaking, input.samples.count > 2 * Self.keptSilence {
            input.drop(before: input.milliseconds - Self.keptSilence / SoundFormat.samplesPerMillisecond)
        }
    }

    private mutating func handle(_ event: TurnDetector.Event) {
        switch event {
        case .started(let start):
            let id = identifier("item_")
            input.speechItem = id
            input.drop(before: start)
            answerHeardAt = nil
            emit([
                "type": "input_audio_buffer.speech_started", "audio_start_ms": .integer(start), "item_id": .string(id),
            ])
            if settings.interruptsResponse { interrupt() }
        case .stopped(let end):
            let id = input.speechItem ?? identifier("item_")
            emit(["type": "input_audio_buffer.speech_stopped", "audio_end_ms": .integer(end), "item_id": .string(id)])
            commit(input.take(before: end), as: id)
            if settings.createsResponse { answerByItself() }
        }
    }

    mutating func commitAll() throws(RealtimeProblem) {
        let length = Double(input.samples.count) / Double(SoundFormat.samplesPerMillisecond)
        guard length >= 100 else { throw .tooSmall(milliseconds: length) }
        let position = input.milliseconds
        input.detector?.reset(at: position)
        commit(input.take(), as: input.speechItem ?? identifier("item_"))
    }

    mutating func clearInput() {
        _ = input.take()
        input.speechItem = nil
        let position = input.milliseconds
        input.detector?.reset(at: position)
        emit(["type": "input_audio_buffer.cleared"])
    }

    /// Makes an item of sound.
    private mutating func commit(_ sound: [Int16], as id: String) {
        input.speechItem = nil
        var turn: Scenario.Turn?
        do throws(RealtimeProblem) {
            turn = try setup.take(.spoken, nil, nil)
        } catch {
            complain(error, about: nil)
        }
        if let turn { begin(turn) }
        spokenTurn = turn
        let previous = items.lastID.map(JSONValue.string) ?? .null
        emit(["type": "input_audio_buffer.committed", "previous_item_id": previous, "item_id": .string(id)])
        var item = RealtimeItems.Item(json: [
            "id": .string(id), "object": "realtime.item", "type": "message", "status": "completed", "role": "user",
            "content": [["type": "input_audio", "transcript": nil]],
        ])
        item.sound = sound
        item.length = sound.count
        // An identifier of our own is new, and there is no item to insert after.
        try? items.insert(item, after: nil)
        hear(id, sound, turn)
    }

    /// The time at which the user has been silent for too long; `nil` while no timeout runs.
    var idleDeadline: Duration? {
        guard let timeout = settings.idleTimeout, let answerHeardAt, answers.isEmpty,
            input.detector?.isSpeaking == false
        else { return nil }
        return answerHeardAt + timeout
    }

    /// The user says nothing: the silence is a turn of its own.
    mutating func idle() {
        answerHeardAt = nil
        let id = identifier("item_")
        let sound = input.take()
        let start = input.milliseconds - sound.count / SoundFormat.samplesPerMillisecond
        emit([
            "type": "input_audio_buffer.timeout_triggered", "audio_start_ms": .integer(start),
            "audio_end_ms": .integer(input.milliseconds), "item_id": .string(id),
        ])
        commit(sound, as: id)
        if settings.createsResponse { answerByItself() }
    }
}
