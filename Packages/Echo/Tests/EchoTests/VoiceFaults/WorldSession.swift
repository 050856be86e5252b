// SPDX-License-Identifier: MIT

@testable import Echo

/// A session of a virtual service, as a client sees it: input, detection of speech, items. Answers are in an extension.
final class WorldSession {
    /// An answer under way.
    final class Answer {
        let id: String
        let request: String?
        let isForeign: Bool
        var items: [String] = []
        var readItems: [String] = []
        init(id: String, request: String?, isForeign: Bool) {
            self.id = id
            self.request = request
            self.isForeign = isForeign
        }
    }

    let number: Int
    unowned let world: VoiceWorld
    let openedAt: Int
    /// Whether it says and hears nothing more.
    var isOver = false
    /// The conversation.
    var order: [String] = []
    var active: Answer?
    /// Answers whose ends the client has not been told of, with what they read.
    var unfinished: [String: [String]] = [:]
    /// Answers that it began, how many of them the client was told of, and how many when it asked.
    var begun = 0
    var told = 0
    var toldAtRequest: [String: Int] = [:]
    /// Answers whose words the client gave.
    var scripted: Set<String> = []
    /// Turns that the client committed, those that came here, and those that it wants no answer to.
    var commitsSent = 0
    var commitsSeen = 0
    var commitsExcused = 0
    /// Items that were spoken in this session: those of another are here as text.
    var spoken: Set<String> = []
    /// Sound that is no item yet.
    private var buffer: [(value: UInt16, count: Int)] = []
    private var total = 0
    private var voiced = 0
    private var silent = 0
    private var speech: String?
    /// When what was sent last arrives.
    var lastUp = 0
    var lastDown = 0
    /// Until when the line stands still.
    var stalledUntil = 0

    init(number: Int, world: VoiceWorld) {
        self.number = number
        self.world = world
        openedAt = world.now
    }

    var previous: MessagePlace { order.last.map { .after($0) } ?? .beginning }

    func tell(_ detail: ServerEvent.Detail) { world.deliver(detail, from: self) }

    func refuse(_ event: ClientEvent, _ code: String) {
        tell(
            .error(
                APIFailure(type: "invalid_request_error", code: code, message: "No: \(code)"),
                clientEventID: event.id))
    }

    func receive(_ event: ClientEvent) {
        switch event.detail {
        case .sessionUpdate: break
        case .inputAudioAppend(let bytes): for run in WorldSound.runs(bytes) { append(run) }
        case .inputAudioCommit:
            commitsSeen += 1
            if !commit(isExcused: commitsSeen <= commitsExcused) { refuse(event, "input_audio_buffer_commit_empty") }
        case .inputAudioClear:
            buffer = []
            (voiced, silent, speech) = (0, 0, nil)
            tell(.inputAudioCleared)
        case .itemCreate(let item, let place): create(item, place, event)
        case .itemDelete(let id): delete(id, event)
        case .itemTruncate(let id, let part, let end): truncate(id, part, end, event)
        case .responseCreate(let request): answer(request, event)
        case .responseCancel(let id): cancel(id, event)
        case .itemRetrieve, .outputAudioClear: world.fail("\(event.type) was sent")
        }
    }

    // MARK: Sound

    private func append(_ run: (value: UInt16, count: Int)) {
        buffer.append(run)
        total += run.count
        guard case .automatic(let detection) = world.plan.mode else { return }
        if run.value > 0 {
            voiced += run.count
            silent = 0
        } else {
            silent += run.count
            if speech == nil, silent > 4_800 { voiced = 0 }
        }
        if speech == nil, voiced >= 1_440 {
            let id = world.records.name("item")
            speech = id
            tell(.speechStarted(itemID: id, audioStart: max(total - voiced - silent - 7_200, 0) / 24))
            if detection.interruptsResponse { stopAnswer("turn_detected") }
        } else if let id = speech, silent >= 12_000 {
            tell(.speechStopped(itemID: id, audioEnd: total / 24))
            commit()
            if detection.createsResponse, active == nil {
                world.after(5_000) { [self] in if active == nil { begin(nil, nil) } }
            }
        } else if speech == nil, voiced == 0 {
            // A second is more than is asked for as padding.
            var kept = buffer.reduce(0) { $0 + $1.count }
            while let first = buffer.first, kept - first.count > 24_000, first.value == 0 {
                kept -= first.count
                buffer.removeFirst()
            }
        }
    }

    @discardableResult
    private func commit(isExcused: Bool = false) -> Bool {
        guard buffer.reduce(0, { $0 + $1.count }) >= 2_400 else { return false }
        let id = speech ?? world.records.name("item")
        var item = WorldRecords.Item(id: id, kind: .speech)
        item.content = world.records.fragments(buffer)
        item.isExcused = isExcused
        buffer = []
        (voiced, silent, speech) = (0, 0, nil)
        let place = previous
        add(item)
        tell(.inputAudioCommitted(itemID: id, at: place))
        let message = MessageItem(id: id, role: .user, content: [.inputAudio(nil, transcript: nil)])
        tell(.itemAdded(.message(message), at: place))
        tell(.itemDone(.message(message), at: place))
        transcribe(id)
        return true
    }

    func add(_ item: WorldRecords.Item, at place: MessagePlace = .end) {
        if world.records.items[item.id] == nil { world.records.items[item.id] = item }
        if case .after(let other) = place, let index = order.firstIndex(of: other) {
            order.insert(item.id, at: index + 1)
        } else {
            order.append(item.id)
        }
    }

    private func transcribe(_ id: String) {
        guard let item = world.records.items[id] else { return }
        let text = world.records.words(item.content)
        let plan = world.plan
        var delay = world.random(in: plan.transcript)
        if world.chance(plan.late) { delay += world.random(in: 1_500_000...14_000_000) }
        if world.chance(plan.missing) {
            world.unreliable.insert(id)
            return
        }
        if delay > 1_500_000 { world.unreliable.insert(id) }
        if world.chance(plan.failing) {
            world.unreliable.insert(id)
            world.after(delay) { [self] in
                tell(.transcriptFailed(itemID: id, contentIndex: 0, APIFailure(message: "Not understood.")))
            }
            return
        }
        if world.chance(50), !text.isEmpty {
            world.after(delay * 2 / 3) { [self] in
                tell(.transcriptDelta(itemID: id, contentIndex: 0, delta: text, logprobs: []))
            }
        }
        for _ in 0..<(world.chance(plan.doubled) ? 2 : 1) {
            world.after(delay) { [self] in tell(.transcriptCompleted(RealtimeTranscript(itemID: id, text: text))) }
        }
    }

    // MARK: Items

    private func create(_ item: ResponseItem, _ place: MessagePlace, _ event: ClientEvent) {
        guard let id = item.id, !order.contains(id) else {
            world.fail("an item was created without a name, or twice: \(item.id ?? "")")
            return refuse(event, "item_create_duplicate")
        }
        if case .after(let other) = place, !order.contains(other) { return refuse(event, "item_create_no_previous") }
        var record = WorldRecords.Item(id: id, kind: .typed)
        record.isExcused = world.checks.takenBack.contains(id)
        switch item {
        case .message(let message):
            if message.role == .assistant { record.kind = .answer }
            record.text = message.text
            if case .inputAudio(let bytes?, _)? = message.content.first {
                record.kind = .speech
                record.content = world.records.fragments(WorldSound.runs(bytes))
            }
        case .functionCall(let call): (record.kind, record.callID) = (.call, call.callID)
        case .functionCallOutput(let output):
            (record.kind, record.callID) = (.output, output.callID)
            let calls = order.filter {
                world.records.items[$0].map { $0.kind == .call && $0.callID == output.callID } ?? false
            }
            if calls.isEmpty { world.fail("the result of a call that the session does not have: \(output.callID)") }
            let known = order.contains {
                world.records.items[$0].map { $0.kind == .output && $0.callID == output.callID } ?? false
            }
            if known { world.fail("the result of \(output.callID) was sent twice") }
            if world.checks.stray.contains(output.callID) { record.isExcused = true }
        default: break
        }
        let before: MessagePlace =
            if case .after = place { place } else { previous }
        let isNew = world.records.items[id] == nil
        add(record, at: place)
        if isNew { world.restored(record) }
        tell(.itemAdded(item, at: before))
        tell(.itemDone(item, at: before))
        if record.kind == .speech, world.plan.transcribesItems { transcribe(id) }
    }

    private func delete(_ id: String, _ event: ClientEvent) {
        guard order.contains(id) else {
            world.races.deletes += 1
            return refuse(event, "item_delete_invalid_item_id")
        }
        order.removeAll { $0 == id }
        tell(.itemDeleted(id: id))
    }

    private func truncate(_ id: String, _ part: Int, _ end: Int, _ event: ClientEvent) {
        guard order.contains(id), let item = world.records.items[id], spoken.contains(id) else {
            if order.contains(id) { world.fail("\(id) has no sound in session \(number), and was truncated") }
            world.races.truncates += 1
            return refuse(event, "item_truncate_invalid_item_id")
        }
        if end < 1 || end > item.frames / 24 {
            world.fail("\(id) of \(item.frames / 24) ms was truncated to \(end) ms")
            return refuse(event, "invalid_value")
        }
        tell(.itemTruncated(id: id, contentIndex: part, audioEnd: end))
    }
}
