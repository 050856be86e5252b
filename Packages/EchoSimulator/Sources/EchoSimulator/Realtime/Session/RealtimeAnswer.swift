// SPDX-License-Identifier: MIT

import StructuredJSON

/// The input from which an answer is made.
struct RealtimeAsk: Sendable {
    let turn: Scenario.Turn?
    let prompt: Prompt
    /// True if the answer is spoken.
    let isSpoken: Bool
}

/// The content of an answer.
struct RealtimeScript: Sendable {
    enum Item: Sendable {
        /// Words, with their sound where the answer is spoken.
        case message(String, sound: [Int16])
        case functionCall(name: String, arguments: String, id: String?)
        /// Events word for word, after which nothing is added.
        case events([JSONValue])
    }

    var items: [Item] = []
    var status = Scenario.Status.completed
    var usage: Scenario.Usage?
    /// True if the items are sent piece by piece in turns.
    var isInterleaved = false
}

/// An answer under way.
struct RealtimeAnswer: Sendable {
    /// One step of sending the answer: one event, or a few that belong together.
    enum Step: Sendable {
        /// An item begins.
        case begin(Int)
        case text(Int, String)
        case words(Int, String)
        case sound(Int, Range<Int>)
        case arguments(Int, String)
        /// An item is complete.
        case finish(Int)
        case raw(JSONValue)
    }

    enum Phase: Sendable, Hashable {
        /// Waiting for the words of the item that is answered.
        case waiting(String?)
        /// The script is being made.
        case thinking
        case speaking
    }

    /// An item of the answer.
    struct Part: Sendable {
        let script: RealtimeScript.Item
        /// The item, as far as it was sent.
        var item: RealtimeItems.Item
        var hasBegun = false
        var isDone = false
        /// The text that was sent so far.
        var text = ""
    }

    let id: String
    /// The response's fields: modality, sound, limits, metadata.
    let fields: JSONObject
    let isInConversation: Bool
    /// The input that the answer reads instead of the conversation.
    let reading: [RealtimeItems.Item]?
    let tools: JSONValue?
    let toolChoice: JSONValue?
    let instructions: String
    let body: JSONValue
    var phase = Phase.waiting(nil)
    var turn: Scenario.Turn?
    var input = RealtimeTokens(reading: [], instructions: "", tools: nil)
    var parts: [Part] = []
    var steps: ArraySlice<Step> = []
    var status = Scenario.Status.completed
    var usage: Scenario.Usage?
    /// The earliest time of the next step.
    var nextAt = Duration.zero
    /// True if a fault ends it.
    var isGivenUp = false
    /// True if the scenario was asked for its turn.
    var hasChosen = false
    /// True if the scenario has events word for word in place of the answer's own.
    var wasRaw = false

    var isSpoken: Bool { fields["output_modalities"] == ["audio"] }
    var outputFormat: SoundFormat { RealtimeSettings.format(fields["audio"]?["output"]?["format"]) }
    /// True if nothing is left but to end the last item.
    var isAtLastStep: Bool { if steps.count == 1, case .finish? = steps.first { true } else { false } }
    var pace: Scenario.Pace { turn?.pace ?? Scenario.Pace() }

    /// The response as events have it.
    func json(
        status: String = "in_progress", details: JSONValue = .null, usage: JSONValue = .null
    ) -> JSONValue {
        var object: JSONObject = [
            "object": "realtime.response", "id": .string(id), "status": .string(status), "status_details": details,
            "output": .array(parts.filter(\.hasBegun).map { .object($0.item.json) }),
        ]
        for (name, value) in fields { object[name] = value }
        object["usage"] = usage
        return .object(object)
    }
}

extension RealtimeAnswer {
    /// Makes the steps of a script.
    mutating func plan(_ script: RealtimeScript, identify: (String) -> String) {
        status = script.status
        usage = script.usage
        var lists: [[Step]] = []
        for item in script.items {
            let place = parts.count
            if case .events(let events) = item {
                wasRaw = true
                lists.append(events.map(Step.raw))
                continue
            }
            parts.append(Part(script: item, item: Self.item(item, isSpoken: isSpoken, identify: identify)))
            lists.append([.begin(place)] + pieces(item, place) + [.finish(place)])
        }
        steps = ArraySlice(script.isInterleaved ? Self.interleaved(lists) : lists.flatMap { $0 })
        phase = .speaking
    }

    private static func item(
        _ script: RealtimeScript.Item, isSpoken: Bool, identify: (String) -> String
    ) -> RealtimeItems.Item {
        var json: JSONObject = [
            "id": .string(identify("item_")), "object": "realtime.item", "type": "message", "status": "in_progress",
        ]
        if case .functionCall(let name, _, let id) = script {
            json["type"] = "function_call"
            json["call_id"] = .string(id ?? identify("call_"))
            json["name"] = .string(name)
            json["arguments"] = ""
        } else {
            json["role"] = "assistant"
            json["content"] = []
        }
        return RealtimeItems.Item(json: json)
    }

    private func pieces(_ item: RealtimeScript.Item, _ place: Int) -> [Step] {
        switch item {
        case .functionCall(_, let arguments, _):
            return TextChunks.split(arguments, size: pace.chunk ?? 12).map { .arguments(place, $0) }
        case .message(let text, _) where !isSpoken:
            return TextChunks.split(text, size: pace.chunk).map { .text(place, $0) }
        case .message(let text, let sound):
            let words = TextChunks.split(text, size: pace.chunk).map { Step.words(place, $0) }
            let piece = max(Int(pace.sound / .milliseconds(1)), 1) * SoundFormat.samplesPerMillisecond
            let sounds = stride(from: 0, to: sound.count, by: piece).map { start in
                Step.sound(place, start..<min(start + piece, sound.count))
            }
            // Words run ahead of their sound, as the API's do.
            return Self.merged(words, sounds)
        case .events: return []
        }
    }

    /// Both lists evenly, the first ahead.
    private static func merged(_ first: [Step], _ second: [Step]) -> [Step] {
        var steps: [Step] = []
        var (here, there) = (0, 0)
        while here < first.count || there < second.count {
            if here < first.count, there >= second.count || here * (second.count + 1) <= there * first.count {
                steps.append(first[here])
                here += 1
            } else {
                steps.append(second[there])
                there += 1
            }
        }
        return steps
    }

    /// One of each in turns.
    private static func interleaved(_ lists: [[Step]]) -> [Step] {
        (0..<(lists.map(\.count).max() ?? 0)).flatMap { place in
            lists.compactMap { $0.indices.contains(place) ? $0[place] : nil }
        }
    }
}
