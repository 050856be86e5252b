// SPDX-License-Identifier: MIT

/// The state of a voice session, so that another can take its place: a pure record of the items that it has, and of the
/// sound that is no text yet. What the items say is in the conversation's ``Transcript``.
///
/// The user's speech is kept as sound until its transcript arrives. Sound that was sent and not committed is kept, too;
/// while the server detects no speech, only the last ``silentSeconds`` of it, since a dead connection may go unnoticed
/// for that long.
struct SessionHistory: Sendable {
    let isAutomatic: Bool
    /// The ids of the items that the session has.
    private(set) var known: Set<String> = []
    /// Items that the session was asked to delete, and has not confirmed: one of that id may have been created again.
    private var deleting: Set<String> = []
    /// The ids that the session has given to committed turns.
    private var named: Set<String> = []
    /// The sound of speech without a transcript, by the message's id.
    var sound: [String: [UInt8]] = [:]
    /// The ids of the messages in ``sound``, oldest first. Some may have a transcript by now.
    var spoken: [String] = []
    /// Committed turns to which the server has given no id yet, in order, by the ids of their positions.
    var unnamed: [String] = []
    /// Sound that was sent to this session and not committed.
    var pending: [UInt8] = []
    /// The beginning of ``pending``, in bytes of all sound that was sent to this session.
    var pendingStart = 0
    /// The most tokens of the items that a session is given; `nil` for no limit.
    var contextLimit: Int?
    /// The tokens for each one that is estimated for a text.
    var tokenScale = 1.0
    var isSpeaking = false
    /// The beginning of the speech that will be committed, including the server's padding, and its end, in bytes of all
    /// sound that was sent to this session.
    var speechStart: Int?
    var speechEnd: Int?

    /// The limit of the sound that is kept, in seconds: of uncommitted sound, and of sound without a transcript.
    static let maximumSeconds = 300
    /// The sound that is kept while the server hears no speech, in seconds, and up to one more: as long as a dead
    /// connection may go unnoticed by its pings, twice 20 s, and a little.
    static let silentSeconds = 45

    /// No session yet.
    init(mode: TurnDetection) {
        isAutomatic = mode.isAutomatic
    }

    var bytesPerSecond: Int { PCM.rate * PCM.bytesPerFrame }

    private func bytes(_ milliseconds: Int) -> Int {
        min(max(milliseconds, 0), 1 << 40) * PCM.rate / 1_000 * PCM.bytesPerFrame
    }

    /// Notes an event that was sent to the session; commits are noted by ``commit(as:)``.
    mutating func send(_ event: ClientEvent.Detail) {
        switch event {
        case .inputAudioAppend(let bytes):
            pending += bytes
            trim()
        case .inputAudioClear: dropPending(pending.count)
        case .itemCreate(let item, _): if let id = item.id { known.insert(id) }
        case .itemDelete(let id):
            known.remove(id)
            sound[id] = nil
            deleting.insert(id)
        case .inputAudioCommit, .sessionUpdate, .outputAudioClear, .itemRetrieve, .itemTruncate, .responseCreate,
            .responseCancel:
            break
        }
    }

    /// True if there is nothing to be done: the session confirms a deletion that it was asked for, or tells once more that
    /// it committed a turn, which takes no sound a second time.
    mutating func isOldNews(_ event: ServerEvent.Detail) -> Bool {
        switch event {
        case .itemDeleted(let id): deleting.remove(id) != nil
        case .inputAudioCommitted(let id, _): !named.insert(id).inserted
        default: false
        }
    }

    /// Notes an event that the session sent.
    mutating func receive(_ event: ServerEvent.Detail) {
        switch event {
        case .speechStarted(_, let start):
            isSpeaking = true
            speechStart = bytes(start)
        case .speechStopped(_, let end):
            isSpeaking = false
            speechEnd = bytes(end)
        case .inputAudioCommitted(let id, _):
            known.insert(id)
            committed(id)
        case .itemAdded(let item, _), .itemCreated(let item, _), .itemDone(let item, _),
            .outputItemDone(let item, _, _):
            if let id = item.id, !deleting.contains(id) { known.insert(id) }
        case .transcriptCompleted(let transcript): sound[transcript.itemID] = nil
        case .itemDeleted(let id):
            known.remove(id)
            sound[id] = nil
        case .error(let failure, _) where failure.code?.hasPrefix("input_audio_buffer_commit") == true:
            if let id = unnamed.first { forget(id) }
        default: break
        }
    }

    /// Notes that an item is no part of the conversation.
    mutating func forget(_ id: String) {
        known.remove(id)
        sound[id] = nil
        unnamed.removeAll { $0 == id }
    }

    /// The position of an item for the session, which knows a part of the transcript.
    func place(of id: String, in transcript: Transcript) -> MessagePlace {
        let previous = transcript.positions.prefix { $0.id != id }.last { $0.id != id && known.contains($0.id) }
        return previous.map { .after($0.id) } ?? .beginning
    }

    // MARK: Another session

    /// The items for another session, in order. Speech without a transcript is included as sound; an item under way has
    /// the text so far.
    func items(of transcript: Transcript) -> [ResponseItem] {
        transcript.positions.compactMap { unnamed.contains($0.id) ? nil : item($0.id, $0.item) }
    }

    /// An item in the form for another session; `nil` if there is nothing to give it.
    private func item(_ id: String, _ item: ResponseItem?) -> ResponseItem? {
        if let bytes = sound[id], !bytes.isEmpty {
            return .message(MessageItem(id: id, role: .user, content: [.inputAudio(bytes, transcript: nil)]))
        }
        guard case .message(var message)? = item else { return item }
        message.status = nil
        return message.content.isEmpty ? nil : .message(message)
    }

    /// The events that bring another session to the same state: the items, and then the uncommitted sound. The oldest
    /// items that exceed ``contextLimit`` are left out.
    ///
    /// From now on ``send(_:)`` and ``receive(_:)`` are about that session. Do not pass the returned events to
    /// ``send(_:)``.
    mutating func replay(_ transcript: Transcript) -> [ClientEvent.Detail] {
        var events: [ClientEvent.Detail] = []
        known = []
        let omitted = idsBeyondLimit(transcript)
        for (id, item) in transcript.positions where !omitted.contains(id) {
            if unnamed.contains(id) {
                // The server gives it an id when it is committed.
                events += appends(sound[id] ?? [])
                events.append(.inputAudioCommit)
            } else if let item = self.item(id, item) {
                known.insert(id)
                events.append(.itemCreate(item, at: .end))
            }
        }
        events += appends(pending)
        pendingStart = unnamed.reduce(0) { $0 + (sound[$1]?.count ?? 0) }
        speechStart = nil
        speechEnd = nil
        isSpeaking = false
        deleting = []
        named = []
        return events
    }

    private func appends(_ audio: [UInt8]) -> [ClientEvent.Detail] {
        stride(from: 0, to: audio.count, by: 1 << 20).map { start in
            .inputAudioAppend(Array(audio[start..<min(start + 1 << 20, audio.count)]))
        }
    }

    /// The tokens of a second of the user's sound: the API counts one for a tenth.
    private static let tokensPerSecond = 10

    /// The items that do not fit ``contextLimit``: the same cut as in text, before a user's message, never between a
    /// call and its result.
    private func idsBeyondLimit(_ transcript: Transcript) -> Set<String> {
        guard let contextLimit else { return [] }
        var ids: [String] = []
        var items: [ResponseItem] = []
        var costs: [Int] = []
        for (id, item) in transcript.positions {
            guard let item = self.item(id, item) else { continue }
            ids.append(id)
            items.append(item)
            let seconds = ((sound[id]?.count ?? 0) + bytesPerSecond - 1) / bytesPerSecond
            let text = Double(ContextBudget.cost(of: item)) * tokenScale
            costs.append(Int(text.rounded(.up)) + seconds * Self.tokensPerSecond)
        }
        guard costs.reduce(0, +) > contextLimit else { return [] }
        let kept = Set(HistoryTruncation.newestIndices(items, costs: costs, within: contextLimit))
        // Sound without an id was committed last: the session has to get it.
        return Set(ids.indices.filter { !kept.contains($0) }.map { ids[$0] }).subtracting(unnamed)
    }
}
