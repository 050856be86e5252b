// SPDX-License-Identifier: MIT

@testable import Echo
@testable import EchoSimulator

/// The record of a session by which the world judges the machine.
struct WorldNotes {
    /// The conversation, in order.
    var order: [String] = []
    /// The answer within the conversation that is under way.
    var active: String?
    /// Answers outside of it.
    var foreign: Set<String> = []
    /// The items that each answer was the first to read.
    var read: [String: [String]] = [:]
    /// Answers whose ends the client has not been told of, with what they read.
    var unfinished: [String: [String]] = [:]
    /// Answers that began, how many of them the client was told of, and how many when it asked.
    var begun = 0
    var told = 0
    var toldAtRequest: [String: Int] = [:]
    /// Answers whose words the client gave.
    var scripted: Set<String> = []
    /// Turns that the client committed, those that came here, and those that it wants no answer to.
    var commitsSent = 0
    var commitsSeen = 0
    var commitsExcused = 0
    /// The client's event that the service is at.
    var cause: ClientEvent?
    /// The id of the last event. One that comes twice is noted once.
    var lastID: String?
}

/// The events of a connection, as the service receives and sends them.
extension WorldLine {
    func note(_ event: ClientEvent) {
        notes.cause = event
        switch event.detail {
        case .inputAudioCommit: notes.commitsSeen += 1
        case .itemCreate(let item, _):
            guard case .functionCallOutput(let output) = item else { break }
            let isKnown = notes.order.contains {
                world.records.items[$0].map { $0.kind == .output && $0.callID == output.callID } ?? false
            }
            if isKnown { world.fail("the result of \(output.callID) was sent twice") }
        case .itemRetrieve, .outputAudioClear: world.fail("\(event.type) was sent")
        default: break
        }
    }

    func note(_ event: ServerEvent.Detail) {
        switch event {
        case .inputAudioCommitted(let id, let place): committed(id, place)
        case .itemAdded(let item, let place): added(item, place)
        case .itemDeleted(let id): notes.order.removeAll { $0 == id }
        case .responseCreated(let response): began(response)
        case .outputItemAdded(let item, let response, _): began(item, response)
        case .audioDelta(let place, let bytes): world.records.items[place.itemID]?.frames += bytes.count / 2
        case .audioTranscriptDelta(let place, let delta): world.records.items[place.itemID]?.text += delta
        case .responseDone(let response): ended(response)
        case .error(let failure, let cause): refused(failure, cause)
        default: break
        }
    }

    private func refused(_ failure: APIFailure, _ cause: String?) {
        switch failure.code {
        case ResponseGate.busyCode:
            world.races.busy += 1
            // Only the service's own beginning can come between.
            if !world.plan.createsResponse { world.fail("\(cause ?? "") asks while an answer is under way") }
        case "item_delete_invalid_item_id": world.races.deletes += 1
        case "item_truncate_invalid_item_id": world.races.truncates += 1
        case "response_cancel_not_active": world.races.cancels += 1
        case "inference_rate_limited": world.excuseAll(in: notes.order)
        case "item_create_invalid_previous_item_id", "input_audio_buffer_commit_empty", "session_expired", "odd": break
        default:
            guard failure.type != "server_error", !failure.message.isEmpty else { break }
            world.fail("the service refuses \(cause ?? "something"): \(failure)")
        }
    }

    // MARK: Items

    private func insert(_ id: String, _ place: MessagePlace) {
        guard !notes.order.contains(id) else { return }
        switch place {
        case .beginning: notes.order.insert(id, at: 0)
        case .after(let other):
            let index = notes.order.firstIndex(of: other).map { $0 + 1 }
            notes.order.insert(id, at: index ?? notes.order.endIndex)
        case .end: notes.order.append(id)
        }
    }

    private func content(of id: String) -> [WorldRecords.Fragment] {
        world.records.fragments(WorldSound.runs(service.items[id]?.sound ?? []))
    }

    private func committed(_ id: String, _ place: MessagePlace) {
        insert(id, place)
        guard world.records.items[id] == nil else { return }
        var item = WorldRecords.Item(id: id, kind: .speech)
        item.content = content(of: id)
        if case .inputAudioCommit? = notes.cause?.detail { item.isExcused = notes.commitsSeen <= notes.commitsExcused }
        world.records.items[id] = item
    }

    private func added(_ item: ResponseItem, _ place: MessagePlace) {
        guard let id = item.id else { return world.fail("an item without an id: \(item)") }
        insert(id, place)
        guard world.records.items[id] == nil else { return }
        var record = WorldRecords.Item(id: id, kind: .typed)
        record.isExcused = world.checks.takenBack.contains(id)
        switch item {
        case .message(let message):
            if message.role == .assistant { record.kind = .answer }
            record.text = message.text
            if case .inputAudio? = message.content.first {
                record.kind = .speech
                record.content = content(of: id)
            }
        case .functionCall(let call): (record.kind, record.callID) = (.call, call.callID)
        case .functionCallOutput(let output):
            (record.kind, record.callID) = (.output, output.callID)
            if world.checks.stray.contains(output.callID) { record.isExcused = true }
        default: break
        }
        world.records.items[id] = record
        world.restored(record)
    }

    // MARK: Answers

    private func began(_ response: RealtimeResponse) {
        guard response.conversationID != nil else {
            notes.foreign.insert(response.id)
            return
        }
        notes.active = response.id
        var (name, instructions): (String?, String?)
        if case .responseCreate(let request)? = notes.cause?.detail {
            (name, instructions) = (notes.cause?.id, request?.instructions)
        }
        if instructions == nil {
            read(response.id, name)
        } else {
            // Words that the program gives it answer nothing.
            notes.unfinished[response.id] = []
            notes.scripted.insert(response.id)
        }
        notes.begun += 1
    }

    private func read(_ response: String, _ name: String?) {
        let open = notes.order.filter { id in
            guard let item = world.records.items[id], item.kind != .answer, item.kind != .call else { return false }
            return item.answers.isEmpty
        }
        // A request sent before the last answer was announced could not take into account which items that answer read.
        let mayKnow = name.flatMap { notes.toldAtRequest[$0] }.map { $0 == notes.begun } ?? true
        if open.isEmpty, mayKnow { world.answeredAgain(notes.order, response, name) }
        for id in open { world.records.items[id]?.answers.append(response) }
        notes.read[response] = open
        notes.unfinished[response] = open
    }

    private func began(_ item: ResponseItem, _ response: String) {
        guard let id = item.id else { return world.fail("an item without an id: \(item)") }
        switch item {
        case .message: world.records.beginAnswer(of: response, item: id)
        case .functionCall(let call):
            var record = WorldRecords.Item(id: id, kind: .call)
            record.callID = call.callID
            world.records.items[id] = record
        default: break
        }
    }

    private func ended(_ response: RealtimeResponse) {
        if notes.active == response.id { notes.active = nil }
        let read = notes.read.removeValue(forKey: response.id) ?? []
        if response.status == .failed { world.excuseAll(in: read) }
        guard response.status == .cancelled, !notes.foreign.contains(response.id) else { return }
        let wasHeard = response.output.contains { item in
            item.id.flatMap { world.records.items[$0] }.map { world.checks.heard[$0.number] ?? 0 > 0 } ?? false
        }
        guard !wasHeard else { return }
        // Nothing of it was heard: it may be asked for again.
        for id in read { world.records.items[id]?.answers.removeAll { $0 == response.id } }
        world.excuseAll(in: read)
    }
}
