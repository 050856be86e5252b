// SPDX-License-Identifier: MIT

extension RealtimeHistory {
    private static let spoken = MessageItem(role: .user, content: [.inputAudio(nil, transcript: nil)])

    /// Notes that the program committed the sound: a turn, to which the server will give an id.
    mutating func commit() {
        guard !pending.isEmpty else { return }
        namesGiven += 1
        let id = "\u{0}turn-\(namesGiven)"
        insert(Entry(item: .message(Self.spoken), audio: pending), id, .end)
        unnamed.append(id)
        dropPending(pending.count)
    }

    mutating func committed(_ id: String, _ place: MessagePlace) {
        var message = Self.spoken
        message.id = id
        defer {
            speechStart = nil
            speechEnd = nil
        }
        if !unnamed.isEmpty {
            let name = unnamed.removeFirst()
            guard let index = order.lastIndex(of: name), var entry = entries.removeValue(forKey: name) else { return }
            entry.item = .message(message)
            entries[id] = entry
            order[index] = id
            return
        }
        let count = min(max((speechEnd ?? .max) - pendingStart, 0), pending.count)
        // Omit the silence before the speech.
        let audio = Array(pending.prefix(count).dropFirst(max((speechStart ?? 0) - pendingStart, 0)))
        dropPending(count)
        insert(Entry(item: .message(message), audio: audio), id, place)
        trim()
    }

    mutating func trim() {
        let isSilent = isAutomatic && !isSpeaking && speechEnd == nil
        let most = bytesPerSecond * (isSilent ? Self.silentSeconds : Self.maximumSeconds)
        // Not for every piece of sound, since dropping moves all bytes that are kept.
        if pending.count > most + bytesPerSecond { dropPending(pending.count - most) }
    }

    mutating func dropPending(_ count: Int) {
        pending.removeFirst(count)
        pendingStart += count
    }

    mutating func insert(_ entry: Entry, _ id: String, _ place: MessagePlace) {
        guard entries[id] == nil else { return }
        entries[id] = entry
        switch place {
        case .beginning: order.insert(id, at: 0)
        case .end: order.append(id)
        case .after(let other):
            let index = order.lastIndex(of: other).map { $0 + 1 } ?? order.count
            order.insert(id, at: index)
        }
    }

    mutating func remove(_ id: String) {
        removed.insert(id)
        guard entries.removeValue(forKey: id) != nil else { return }
        unnamed.removeAll { $0 == id }
        shortened.remove(id)
    }

    /// Removes calls without a result, except those.
    ///
    /// - Returns: The removed items' ids.
    mutating func dropCalls(except calls: Set<String>) -> [String] {
        let answered = Set(
            entries.values.compactMap { if case .functionCallOutput(let item) = $0.item { item.callID } else { nil } })
        let dropped = order.filter { id in
            guard case .functionCall(let call)? = entries[id]?.item, !answered.contains(call.callID) else {
                return false
            }
            return !calls.contains(call.callID)
        }
        for id in dropped { remove(id) }
        return dropped
    }

    /// Stores an item in its present state at the server.
    mutating func take(_ item: ResponseItem, _ place: MessagePlace) {
        guard let id = item.id, !shortened.contains(id), !removed.contains(id) else { return }
        guard let known = entries[id] else {
            insert(Entry(item: item), id, place)
            return
        }
        // The history has more of a user's text than the server repeats.
        if case .message(let message) = item, message.role == .user || message.text.isEmpty { return }
        if case .functionCall(let call) = item, call.arguments.isEmpty { return }
        entries[id]?.item = item
        if case .message = known.item { entries[id]?.parts = [:] }
    }

    mutating func transcribed(_ id: String, _ text: String) {
        guard case .message(var message)? = entries[id]?.item else { return }
        message.content = [.inputText(text)]
        entries[id]?.item = .message(message)
        entries[id]?.audio = []
    }

    /// Sets the text of a message that the user spoke to another engine and that had no text.
    ///
    /// - Returns: The item's position among the items that a session knows; `nil` if no item without text has that id.
    mutating func fill(_ id: String, _ text: String) -> MessagePlace? {
        guard entries[id]?.isUntold == true else { return nil }
        transcribed(id, text)
        return place(of: id)
    }

    /// The item in the form for another session; `nil` if it has no content.
    static func replayed(_ entry: Entry) -> ResponseItem? {
        guard case .message(var message) = entry.item else {
            switch entry.item {
            case .functionCall, .functionCallOutput: return entry.item
            default: return nil
            }
        }
        message.status = nil
        if message.role == .assistant {
            let begun = entry.parts.sorted { $0.key < $1.key }.map(\.value).joined()
            let text = message.text.isEmpty ? begun : message.text
            message.content = [.outputText(OutputText(text))]
            return text.isEmpty ? nil : .message(message)
        }
        if !entry.audio.isEmpty { message.content = [.inputAudio(entry.audio, transcript: nil)] }
        message.content.removeAll { part in
            switch part {
            case .inputAudio(let audio, let transcript): transcript == nil && audio == nil
            // Speech without a word in it.
            case .inputText(let text): text.isEmpty
            default: false
            }
        }
        return message.content.isEmpty ? nil : .message(message)
    }
}
