// SPDX-License-Identifier: MIT

/// The user's sound on its way to become items.
extension SessionHistory {
    /// Notes that the program committed the sound: a turn, to which the server will give an id.
    ///
    /// - Parameter position: The id of the turn's position in the transcript until then.
    /// - Returns: False if there was no sound, and so no turn.
    mutating func commit(as position: String) -> Bool {
        guard !pending.isEmpty else { return false }
        sound[position] = pending
        unnamed.append(position)
        dropPending(pending.count)
        return true
    }

    /// Notes the id that the server gives to committed sound.
    mutating func committed(_ id: String) {
        defer {
            speechStart = nil
            speechEnd = nil
            trimSpeech(endingWith: id)
        }
        if !unnamed.isEmpty {
            sound[id] = sound.removeValue(forKey: unnamed.removeFirst())
            return
        }
        let count = min(max((speechEnd ?? .max) - pendingStart, 0), pending.count)
        // Omit the silence before the speech.
        sound[id] = Array(pending.prefix(count).dropFirst(max((speechStart ?? 0) - pendingStart, 0)))
        dropPending(count)
        trim()
    }

    /// Drops the oldest speech without a transcript beyond ``maximumSeconds``.
    private mutating func trimSpeech(endingWith id: String) {
        spoken = spoken.filter { $0 != id && sound[$0] != nil } + [id]
        var excess = spoken.reduce(0) { $0 + (sound[$1]?.count ?? 0) } - bytesPerSecond * Self.maximumSeconds
        for id in spoken.dropLast() where excess > 0 { excess -= sound.removeValue(forKey: id)?.count ?? 0 }
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
}
