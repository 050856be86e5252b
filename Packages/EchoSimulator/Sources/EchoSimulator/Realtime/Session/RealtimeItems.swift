// SPDX-License-Identifier: MIT

import StructuredJSON

/// A session's conversation: items in their order, with the sound that they were made from.
struct RealtimeItems: Sendable {
    struct Item: Sendable {
        /// The item as events have it, without sound.
        var json: JSONObject
        /// The sound of its only part, at 24 kHz, as far as it was kept.
        var sound: [Int16] = []
        /// The number of sound samples.
        var length = 0
        /// The user's words, even if no transcript holds them.
        var heard: String?

        var id: String { json["id"]?.string ?? "" }
        var type: String { json["type"]?.string ?? "" }
        var role: String? { json["role"]?.string }
        var milliseconds: Int { length / SoundFormat.samplesPerMillisecond }
        var content: [JSONValue] { json["content"]?.array ?? [] }

        /// The item's text, as far as it is known.
        var text: String? {
            let texts = content.compactMap { $0["text"]?.string ?? $0["transcript"]?.string }
            return texts.isEmpty ? nil : texts.joined(separator: "\n")
        }

        var hasSound: Bool { content.contains { $0["type"] == "input_audio" || $0["type"] == "output_audio" } }

        /// Sets a field of a part.
        mutating func set(_ name: String, _ value: JSONValue?, part place: Int = 0) {
            var content = content
            guard content.indices.contains(place), var part = content[place].object else { return }
            part[name] = value
            content[place] = .object(part)
            json["content"] = .array(content)
        }
    }

    private(set) var all: [Item] = []
    /// The number of items that keep their sound. An hour of it would waste memory.
    private static let keptSounds = 16

    subscript(id: String) -> Item? {
        get { place(of: id).map { all[$0] } }
        set {
            guard let newValue, let place = place(of: id) else { return }
            all[place] = newValue
        }
    }

    func place(of id: String) -> Int? { all.lastIndex { $0.id == id } }

    /// The id of the item before; `nil` for the first.
    func previous(of id: String) -> String? {
        guard let place = place(of: id), place > 0 else { return nil }
        return all[place - 1].id
    }

    var lastID: String? { all.last?.id }

    /// Adds an item: at the end, after another, or with `root` at the beginning.
    mutating func insert(_ item: Item, after previous: String?) throws(RealtimeProblem) {
        if all.contains(where: { $0.id == item.id }) {
            throw RealtimeProblem(
                code: "item_create_duplicate_item_id",
                message: "Error creating item: an item with id '\(item.id)' already exists.", param: "item.id")
        }
        switch previous {
        case nil: all.append(item)
        case "root"?: all.insert(item, at: 0)
        case let previous?:
            guard let place = place(of: previous) else {
                throw .unknownItem(
                    previous, to: "inserting after", code: "item_create_invalid_previous_item_id",
                    param: "previous_item_id")
            }
            all.insert(item, at: place + 1)
        }
        forgetSounds()
    }

    mutating func remove(_ id: String) throws(RealtimeProblem) {
        guard let place = place(of: id) else {
            throw .unknownItem(id, to: "deleting", code: "item_delete_invalid_item_id")
        }
        all.remove(at: place)
    }

    /// Cuts an answer's sound and its text.
    mutating func truncate(_ id: String, part: Int, milliseconds: Int) throws(RealtimeProblem) {
        guard var item = self[id] else {
            throw .unknownItem(id, to: "truncating", code: "item_truncate_invalid_item_id")
        }
        guard item.role == "assistant", item.content.indices.contains(part),
            item.content[part]["type"] == "output_audio"
        else {
            throw RealtimeProblem(
                code: "invalid_value", message: "Only model output audio messages can be truncated",
                param: part == 0 ? "item_id" : "content_index")
        }
        guard milliseconds <= item.milliseconds else {
            throw RealtimeProblem(
                code: "invalid_value",
                message: "Audio content of \(item.milliseconds)ms is already shorter than \(milliseconds)ms",
                param: "audio_end_ms")
        }
        item.length = milliseconds * SoundFormat.samplesPerMillisecond
        item.sound = Array(item.sound.prefix(item.length))
        item.set("transcript", nil, part: part)
        self[id] = item
    }

    private mutating func forgetSounds() {
        let sounding = all.indices.filter { !all[$0].sound.isEmpty }
        for place in sounding.dropLast(Self.keptSounds) { all[place].sound = [] }
    }
}
