// SPDX-License-Identifier: MIT

/// Records the items of a voice session, so that another can take its place: a pure record.
///
/// Text, transcripts, calls of tools and their results are kept as such; what the user said is kept as sound until its
/// transcript is there. Sound that was sent and not committed is kept too: while the server hears no speech only the last
/// ``silentSeconds`` of it, since that is how long it may take to find out that nothing reaches the server any more.
struct RealtimeHistory: Sendable {
    struct Entry: Sendable, Hashable {
        var item: ResponseItem
        /// The sound of speech, until its transcript arrives.
        var audio: [UInt8] = []
        /// Text of an answer under way, by part.
        var parts: [Int: String] = [:]
        /// True if no session has this item, since another engine heard it and found no text.
        var isUntold: Bool {
            if case .message(let message) = item { message.role == .user && message.content.isEmpty } else { false }
        }
    }

    let format: RealtimeAudioFormat
    let isAutomatic: Bool
    /// The items' ids, in order; also of items removed in this session, since others may follow them.
    var order: [String] = []
    var entries: [String: Entry] = [:]
    /// Committed turns to which the server has given no id yet, in order, by ids of our own.
    var unnamed: [String] = []
    var namesGiven = 0
    /// Answers that were cut: later events of the server about them are ignored.
    var shortened: Set<String> = []
    /// Items that were removed in this session: later events of the server about them are ignored.
    var removed: Set<String> = []
    /// Items that the session was asked to delete, and has not confirmed: one of that id may have been created again.
    var deleting: Set<String> = []
    /// Sound that was sent to this session and not committed.
    var pending: [UInt8] = []
    /// The beginning of ``pending``, in bytes of all sound that was sent to this session.
    var pendingStart = 0
    /// The most tokens of the items that a session is given, by estimate; `nil` for no limit.
    var contextLimit: Int?
    /// Items that this session was not given, since they do not fit.
    var omitted: Set<String> = []
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

    /// An empty conversation.
    init(format: RealtimeAudioFormat = .pcm, mode: TurnDetection) {
        self.format = format
        isAutomatic = mode.isAutomatic
    }

    var bytesPerSecond: Int { format.rate * format.bytesPerFrame }

    private func bytes(_ milliseconds: Int) -> Int {
        min(max(milliseconds, 0), 1 << 40) * format.rate / 1_000 * format.bytesPerFrame
    }

    /// Notes an event that was sent to the session.
    mutating func send(_ event: ClientEvent.Detail) {
        switch event {
        case .inputAudioAppend(let bytes):
            pending += bytes
            trim()
        case .inputAudioCommit: commit()
        case .inputAudioClear: dropPending(pending.count)
        case .itemCreate(let item, let place):
            guard let id = item.id else { break }
            if removed.remove(id) != nil { order.removeAll { $0 == id } }
            insert(Entry(item: item), id, place)
        case .itemDelete(let id):
            remove(id)
            deleting.insert(id)
        case .sessionUpdate, .outputAudioClear, .itemRetrieve, .itemTruncate, .responseCreate, .responseCancel: break
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
        case .inputAudioCommitted(let id, let place): committed(id, place)
        case .itemAdded(let item, let place), .itemCreated(let item, let place), .itemDone(let item, let place):
            take(item, place)
        case .outputItemDone(let item, _, _): take(item, .end)
        case .textDelta(let place, let delta), .audioTranscriptDelta(let place, let delta):
            guard !shortened.contains(place.itemID) else { break }
            entries[place.itemID]?.parts[place.contentIndex, default: ""] += delta
        case .transcriptCompleted(let transcript): transcribed(transcript.itemID, transcript.text)
        case .itemDeleted(let id): if deleting.remove(id) == nil { remove(id) }
        case .error(let failure, _) where failure.code?.hasPrefix("input_audio_buffer_commit") == true:
            if let id = unnamed.first { remove(id) }
        default: break
        }
    }

    /// Shortens an answer that was cut: the user heard only `text` of it.
    mutating func shorten(_ id: String, to text: String) {
        guard case .message(var message)? = entries[id]?.item else { return }
        message.content = [.outputText(OutputText(text))]
        entries[id]?.item = .message(message)
        entries[id]?.parts = [:]
        shortened.insert(id)
    }

    /// All items in order, in the form for another conversation. Speech without a transcript is included as sound.
    var items: [ResponseItem] {
        order.compactMap { id in unnamed.contains(id) ? nil : entries[id].flatMap { Self.replayed($0) } }
    }

    /// The item's position among the items that a session knows; `nil` if no item has that id.
    func place(of id: String) -> MessagePlace? {
        guard let index = order.lastIndex(of: id) else { return nil }
        let previous = order[..<index].last {
            !unnamed.contains($0) && !omitted.contains($0) && entries[$0]?.isUntold == false
        }
        return previous.map { .after($0) } ?? .beginning
    }

    /// The events that bring another session to the same state: the items, and then the uncommitted sound. The oldest
    /// items that exceed ``contextLimit`` are left out; they stay in ``items``.
    ///
    /// From now on ``send(_:)`` and ``receive(_:)`` are about that session. Do not pass the returned events to
    /// ``sent(_:)``.
    mutating func replay() -> [ClientEvent.Detail] {
        var events: [ClientEvent.Detail] = []
        omitted = itemsBeyondLimit()
        for id in order where !omitted.contains(id) {
            guard let entry = entries[id] else { continue }
            if unnamed.contains(id) {
                // The server gives it an id when it is committed.
                events += appends(entry.audio)
                events.append(.inputAudioCommit)
            } else if let item = Self.replayed(entry) {
                events.append(.itemCreate(item, at: .end))
            }
        }
        events += appends(pending)
        pendingStart = unnamed.reduce(0) { $0 + (entries[$1]?.audio.count ?? 0) }
        speechStart = nil
        speechEnd = nil
        isSpeaking = false
        removed = []
        deleting = []
        order.removeAll { entries[$0] == nil }
        return events
    }

    private func appends(_ audio: [UInt8]) -> [ClientEvent.Detail] {
        stride(from: 0, to: audio.count, by: 1 << 20).map { start in
            .inputAudioAppend(Array(audio[start..<min(start + 1 << 20, audio.count)]))
        }
    }
}
