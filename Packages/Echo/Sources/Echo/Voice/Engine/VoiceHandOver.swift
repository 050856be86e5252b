// SPDX-License-Identifier: MIT

/// A voice conversation's state for another engine, at one moment, and the events after it.
struct VoiceHandOver: Sendable {
    /// A committed turn of the user without a message, since the session has given it no id.
    struct Owed: Sendable, Hashable {
        /// The turn's id until then, which it keeps if another engine continues; the id that the session has announced,
        /// if there is one.
        var id: String
        var place: MessagePlace
    }

    /// All messages, calls and results, in order; a message that has no text yet is empty.
    private(set) var items: [ResponseItem] = []
    /// Turns without a message, in order.
    private(set) var owed: [Owed] = []
    /// The operations on the messages since then.
    var held: [TranscriptOrder.Operation] = []
    /// Maps session item ids to the ids in ``items``.
    private(set) var names: [String: String] = [:]
    /// Ids that we made for turns to which the session will give others.
    private var made: ArraySlice<String> = []
    private var known: Set<String> = []

    /// The longest id that a voice session accepts, in characters. The ids of the responses API are longer.
    private static let maximumIDLength = 32

    /// A text conversation's item with an id that a voice session accepts; `nil` if a session takes no such item.
    static func sessionItem(_ item: ResponseItem) -> ResponseItem? {
        switch item {
        case .message, .functionCall, .functionCallOutput:
            var item = item
            item.id = item.id.map { String($0.suffix(maximumIDLength)) }
            guard case .message(var message) = item else { return item }
            message.content.removeAll { $0.text?.isEmpty == true }
            return .message(message)
        case .customToolCall, .customToolCallOutput, .reasoning, .reference, .unknown: return nil
        }
    }

    /// The state of a machine's conversation.
    init(_ machine: VoiceMachine) {
        let history = machine.history
        // Speech that the detector has heard and that is no item at the server yet: the session has announced its id.
        var announced = machine.turns.uncommittedNames.filter { history.entries[$0] == nil }[...]
        var last: String?
        for name in history.order {
            guard let entry = history.entries[name] else { continue }
            var id = name
            if history.unnamed.contains(name) {
                id = announced.popFirst() ?? makeName(machine.configuration.names)
                owe(id, after: last)
            } else if let item = RealtimeHistory.replayed(entry, hasSound: false) {
                items.append(item)
            } else if case .message(let message) = entry.item, message.role == .user {
                // A message without text keeps its position.
                items.append(.message(MessageItem(id: id, role: .user, content: [])))
            }
            last = id
        }
        for id in announced {
            owe(id, after: last)
            last = id
        }
        known = Set(items.compactMap(\.id))
    }

    private mutating func makeName(_ prefix: String) -> String {
        let name = "\(prefix).turn.\(made.count + 1)"
        made.append(name)
        return name
    }

    private mutating func owe(_ id: String, after last: String?) {
        owed.append(Owed(id: id, place: last.map { .after($0) } ?? .beginning))
        items.append(.message(MessageItem(id: id, role: .user, content: [])))
    }

    /// ``items`` without the turns that have no id of the session.
    var named: [ResponseItem] {
        let owed = Set(owed.map(\.id))
        return items.filter { $0.id.map { !owed.contains($0) } ?? true }
    }

    /// The operations of ``held`` that insert messages of ``items``.
    var placed: [TranscriptOrder.Operation] {
        let owed = Set(owed.map(\.id))
        return held.filter { operation in
            guard case .insert(let id, _, _, _, _) = operation else { return false }
            return known.contains(id) && !owed.contains(id)
        }
    }

    /// Notes the session's id of a message of the user.
    ///
    /// - Returns: Its id in ``items``; `nil` if no turn waits for an id.
    mutating func name(_ id: String) -> String? {
        if owed.contains(where: { $0.id == id }) { return id }
        guard !known.contains(id), names[id] == nil, let name = made.popFirst() else { return nil }
        names[id] = name
        return name
    }
}
