// SPDX-License-Identifier: MIT

/// What another engine is given of a voice conversation, at one moment, and what came of it since.
struct VoiceHandOver: Sendable {
    /// A turn of the user's that is committed and has no message, since the session has not named it.
    struct Owed: Sendable, Hashable {
        /// The name that it has until then, and keeps where another engine goes on; one that the session has announced,
        /// if it has one.
        var id: String
        var place: MessagePlace
    }

    /// All that was said and done, in order; what has no words yet is a message without.
    private(set) var items: [ResponseItem] = []
    /// Turns without a message, in order.
    private(set) var owed: [Owed] = []
    /// What was to be done with the messages since.
    var held: [TranscriptOrder.Operation] = []
    /// The names here of what the session has named since, by its names.
    private(set) var names: [String: String] = [:]
    /// Names that the session will not use, of turns that it is to name.
    private var made: ArraySlice<String> = []
    private var known: Set<String> = []

    /// What there is of a conversation.
    init(_ machine: VoiceMachine) {
        let history = machine.history
        // Speech that the detector has heard and the server has not made an item of: it has its name.
        var announced = machine.turns.uncommittedNames.filter { history.entries[$0] == nil }[...]
        var last: String?
        for name in history.order {
            guard let entry = history.entries[name] else { continue }
            var id = name
            if history.unnamed.contains(name) {
                id = announced.popFirst() ?? makeName(machine.configuration.names)
                owe(id, after: last)
            } else if let item = RealtimeHistory.replayed(entry) {
                if let item = ResponseItem(item) { items.append(item) }
            } else if case .message(let message) = entry.item, message.role == .user {
                // What has no words yet keeps its place.
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

    /// ``items`` without the turns that the session has not named.
    var named: [ResponseItem] {
        let owed = Set(owed.map(\.id))
        return items.filter { $0.id.map { !owed.contains($0) } ?? true }
    }

    /// What of ``held`` gives messages their places that stand in ``items``.
    var placed: [TranscriptOrder.Operation] {
        let owed = Set(owed.map(\.id))
        return held.filter { operation in
            guard case .insert(let id, _, _, _, _) = operation else { return false }
            return known.contains(id) && !owed.contains(id)
        }
    }

    /// The session has named something that the user said.
    ///
    /// - Returns: Its name here; `nil` for what was not owed.
    mutating func name(_ id: String) -> String? {
        if owed.contains(where: { $0.id == id }) { return id }
        guard !known.contains(id), names[id] == nil, let name = made.popFirst() else { return nil }
        names[id] = name
        return name
    }
}
