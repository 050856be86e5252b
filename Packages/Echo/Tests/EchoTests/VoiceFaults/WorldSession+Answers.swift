// SPDX-License-Identifier: MIT

@testable import Echo

/// How a virtual service answers.
extension WorldSession {
    func answer(_ request: RealtimeResponseRequest?, _ event: ClientEvent) {
        let isForeign = request.map { !$0.isInConversation } ?? false
        if active != nil, !isForeign {
            world.races.busy += 1
            return refuse(event, "conversation_already_has_active_response")
        }
        if world.chance(world.plan.refused) {
            world.excuseAll(in: order)
            return refuse(event, "inference_rate_limited")
        }
        begin(request, event.id)
    }

    func begin(_ request: RealtimeResponseRequest?, _ name: String?) {
        guard !isOver else { return }
        let isForeign = request.map { !$0.isInConversation } ?? false
        let answer = Answer(
            id: world.records.name("resp"), request: request?.metadata[ResponseGate.metadataName] ?? name,
            isForeign: isForeign)
        if !isForeign {
            active = answer
            if request?.instructions == nil {
                read(answer, name)
            } else {
                // Words that the program gives it answer nothing.
                unfinished[answer.id] = []
                scripted.insert(answer.id)
            }
            begun += 1
        }
        let metadata = request?.metadata ?? [:]
        tell(
            .responseCreated(
                RealtimeResponse(id: answer.id, conversationID: isForeign ? nil : "conv", metadata: metadata)))
        let plan = world.plan
        world.after(world.random(in: plan.think)) { [self] in
            guard !isOver, isForeign || active === answer else { return }
            let readsOutputs = answer.readItems.contains { world.records.items[$0]?.kind == .output }
            if !isForeign, world.chance(plan.broken) {
                return end(answer, .failed, failure: APIFailure(type: "server_error", code: "oops", message: "Oops."))
            }
            if !isForeign, !readsOutputs, world.chance(plan.tools) {
                if world.chance(30) { speak(answer) { [self] in call(answer) } } else { call(answer) }
            } else {
                speak(answer) { [self] in end(answer, .completed) }
            }
        }
    }

    private func read(_ answer: Answer, _ name: String?) {
        let open = order.filter { id in
            guard let item = world.records.items[id], item.kind != .answer, item.kind != .call else { return false }
            return item.answers.isEmpty
        }
        // Who asked before it was told of the last answer could not know what that would read.
        let mayKnow = name.flatMap { toldAtRequest[$0] }.map { $0 == begun } ?? true
        if open.isEmpty, mayKnow { world.answeredAgain(order, answer.id, name) }
        for id in open { world.records.items[id]?.answers.append(answer.id) }
        answer.readItems = open
        unfinished[answer.id] = open
    }

    private func call(_ answer: Answer) {
        for _ in 0..<(world.chance(25) ? 2 : 1) {
            let id = world.records.name("call")
            var record = WorldRecords.Item(id: "item_\(id)", kind: .call)
            record.callID = id
            let place = previous
            add(record)
            var call = FunctionCallItem(
                id: record.id, callID: id, name: "look_up", arguments: "", status: .inProgress)
            tell(.outputItemAdded(.functionCall(call), responseID: answer.id, outputIndex: answer.items.count))
            tell(.itemAdded(.functionCall(call), at: place))
            let spot = AnswerPlace(responseID: answer.id, itemID: record.id, outputIndex: answer.items.count)
            (call.arguments, call.status) = ("{}", .completed)
            tell(.functionArgumentsDone(spot, ToolCall(id: id, name: "look_up", arguments: "{}")))
            tell(.outputItemDone(.functionCall(call), responseID: answer.id, outputIndex: answer.items.count))
            tell(.itemDone(.functionCall(call), at: place))
            answer.items.append(record.id)
        }
        end(answer, .completed)
    }

    private func speak(_ answer: Answer, then: @escaping () -> Void) {
        var item = WorldRecords.Item(id: world.records.name("answer"), kind: .answer)
        world.records.answers.append(item.id)
        item.number = world.records.answers.count
        item.isBad = !answer.isForeign && world.chance(world.plan.bad)
        item.isForeign = answer.isForeign
        item.responseID = answer.id
        let place = previous
        if answer.isForeign { world.records.items[item.id] = item } else { add(item) }
        let message = ResponseItem.message(
            MessageItem(id: item.id, role: .assistant, content: [], status: .inProgress))
        let spot = AnswerPlace(responseID: answer.id, itemID: item.id, outputIndex: answer.items.count)
        answer.items.append(item.id)
        spoken.insert(item.id)
        tell(.outputItemAdded(message, responseID: answer.id, outputIndex: spot.outputIndex))
        if !answer.isForeign { tell(.itemAdded(message, at: place)) }
        tell(.partAdded(spot, .outputAudio(nil, transcript: "")))
        let frames = (answer.isForeign ? 1_000 : world.random(in: world.plan.answer)) * 24 + world.random(in: 0...23)
        let speed = world.random(in: world.plan.speed)
        goOn(answer, spot, left: frames, speed: speed, sentence: 1, then: then)
    }

    private func goOn(
        _ answer: Answer, _ spot: AnswerPlace, left: Int, speed: Int, sentence: Int, then: @escaping () -> Void
    ) {
        guard !isOver, answer.isForeign || active === answer, var item = world.records.items[spot.itemID] else {
            return
        }
        guard left > 0 else {
            finish(spot, .completed, of: answer)
            return then()
        }
        let count = min(left, world.random(in: 1_000...9_600))
        let isBad = item.isBad && left - count < 12_000 && !item.text.contains("BAD")
        let words = isBad ? "This is BAD. " : "Sentence \(sentence) of \(item.number). "
        let bytes = WorldSound.answer(item.number, from: item.frames, count: count)
        item.frames += count
        item.text += words
        world.records.items[spot.itemID] = item
        let soundFirst = world.chance(50)
        if soundFirst { tell(.audioDelta(spot, bytes)) }
        tell(.audioTranscriptDelta(spot, delta: words))
        if !soundFirst { tell(.audioDelta(spot, bytes)) }
        world.after(count * 1_000 / 24 / speed) { [self] in
            goOn(answer, spot, left: left - count, speed: speed, sentence: sentence + 1, then: then)
        }
    }

    private func finish(_ spot: AnswerPlace, _ status: ItemStatus, of answer: Answer) {
        guard let item = world.records.items[spot.itemID] else { return }
        tell(.audioDone(spot))
        tell(.audioTranscriptDone(spot, transcript: item.text))
        tell(.partDone(spot, .outputAudio(nil, transcript: item.text)))
        let message = ResponseItem.message(
            MessageItem(
                id: item.id, role: .assistant, content: [.outputAudio(nil, transcript: item.text)], status: status))
        tell(.outputItemDone(message, responseID: answer.id, outputIndex: spot.outputIndex))
        let index = order.firstIndex(of: item.id)
        let place: MessagePlace = index.map { $0 > 0 ? .after(order[$0 - 1]) : .beginning } ?? previous
        if !answer.isForeign { tell(.itemDone(message, at: place)) }
    }

    private func end(
        _ answer: Answer, _ status: ResponseStatus, reason: String? = nil, failure: APIFailure? = nil
    ) {
        if active === answer { active = nil }
        if status == .failed { world.excuseAll(in: answer.readItems) }
        let output = answer.items.compactMap { id -> ResponseItem? in
            guard let item = world.records.items[id] else { return nil }
            if item.kind == .call {
                return .functionCall(
                    FunctionCallItem(
                        id: id, callID: item.callID ?? "", name: "look_up", arguments: "{}", status: .completed))
            }
            let whole: ItemStatus = status == .completed ? .completed : .incomplete
            return .message(
                MessageItem(
                    id: id, role: .assistant, content: [.outputAudio(nil, transcript: item.text)], status: whole))
        }
        tell(
            .responseDone(
                RealtimeResponse(
                    id: answer.id, status: status, reason: reason, failure: failure, output: output,
                    usage: Usage(inputTokens: 10, outputTokens: 10),
                    conversationID: answer.isForeign ? nil : "conv")))
    }

    private func checks(of id: String) -> Int {
        world.records.items[id].map { world.checks.heard[$0.number] ?? 0 } ?? 0
    }

    func cancel(_ id: String?, _ event: ClientEvent) {
        guard let active, id == nil || active.id == id else {
            world.races.cancels += 1
            return refuse(event, "response_cancel_not_active")
        }
        stopAnswer("client_cancelled")
    }

    func stopAnswer(_ reason: String) {
        guard let answer = active else { return }
        active = nil
        if answer.items.allSatisfy({ checks(of: $0) == 0 }) {
            // Nothing of it was heard: it may be asked for again.
            for id in answer.readItems { world.records.items[id]?.answers.removeAll { $0 == answer.id } }
            world.excuseAll(in: answer.readItems)
        }
        if let id = answer.items.last, let item = world.records.items[id], item.kind == .answer {
            finish(
                AnswerPlace(responseID: answer.id, itemID: id, outputIndex: answer.items.count - 1), .incomplete,
                of: answer)
        }
        end(answer, .cancelled, reason: reason)
    }
}
