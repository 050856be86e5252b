// SPDX-License-Identifier: MIT

import Networking

@testable import Echo

/// How an attempt to connect ends.
enum WorldConnectFault: Hashable {
    case refused(Int)
    case broken
    case slow
}

/// What the world does for the machine.
extension VoiceWorld {
    func take(_ actions: [VoiceAction]) {
        for action in actions {
            if case .play = action {} else { note("← \(Self.short(action))") }
            take(action)
        }
    }

    private func take(_ action: VoiceAction) {
        switch action {
        case .connect(let number): connect(number)
        case .send(let number, let event): send(event, to: number)
        case .close(let number):
            guard closedSessions.insert(number).inserted else { return }
            guard let session = sessions[number] else { return }
            over(session)
        case .play(let bytes):
            if isFlushing { playsAfterFlush.append(bytes) } else { play(bytes) }
        case .flush: flush()
        case .messages(let operations): for operation in operations { messages.apply(operation) }
        case .call(let call):
            if !checks.calls.insert(call.id).inserted { fail("\(call.id) was called twice") }
            toolsRunning += 1
            after(random(in: plan.toolTime)) { [unowned self] in
                toolsRunning -= 1
                input(.toolAnswered(ToolResult(callID: call.id, output: "It is so.")))
            }
        case .judge(let id, let text):
            after(random(in: plan.judgement)) { [unowned self] in
                input(.judged(id: id, isAllowed: !text.contains("BAD")))
            }
        case .done(let number, let failure):
            if let failure { note("command \(number) failed: \(failure)") }
            if commands.removeValue(forKey: number) == nil { fail("command \(number) was done twice, or never given") }
        case .emit(let event): emitted(event)
        case .count: spend(0.01)
        case .deliver(let number, _):
            if commands[number] == nil { fail("command \(number) was given text after it was done") }
        case .started, .listTools, .report: break
        case .startFailed: isGivenUp = true
        case .fallBack(let reason): fallBack(reason)
        }
    }

    /// Money is counted a moment later, as by the engine.
    func spend(_ amount: Double) {
        spent += amount
        after(0) { [unowned self] in input(.counted(Spending(total: spent, voice: spent))) }
    }

    private func fallBack(_ reason: VoiceFallback) {
        fallbacks.append(reason)
        switch reason {
        case .budget(let spent, let limit):
            if spent < limit { fail("the budget of \(limit) was used up by \(spent)") }
            if machine.isSpeaking { fail("the budget cut an answer that is heard") }
            let count = fallbacks.count { if case .budget = $0 { true } else { false } }
            if count > 1 { fail("the budget was used up \(count) times") }
        case .failure(.session): isGivenUp = true
        case .failure: break
        }
        if machine.isWindingUp, !isGivenUp { fail("it continues in text while another engine is made") }
    }

    // MARK: Sessions

    private func connect(_ number: Int) {
        let fault = connectFaults.isEmpty ? nil : connectFaults.removeFirst()
        let delay = fault == .slow ? 25_000_000 : random(in: plan.connect)
        after(delay) { [unowned self] in
            switch fault {
            case .refused(let status):
                input(.failed(number, SessionLifecycle.Failure(status: status, message: "No.")))
            case .broken: input(.failed(number, .broken(retryAfter: nil)))
            case .slow, nil:
                // Whoever opens sessions may be too late to know that it is wanted no more.
                if closedSessions.contains(number), !plan.stale { return }
                let session = WorldLine(number: number, world: self)
                if !closedSessions.contains(number) { sessions[number] = session }
                input(.opened(number))
            }
        }
    }

    private func send(_ event: ClientEvent, to number: Int) {
        guard let session = sessions[number] else {
            return fail("\(event.type) was sent to session \(number), which is not open")
        }
        if closedSessions.contains(number) {
            return fail("\(event.type) was sent to session \(number), which was closed")
        }
        sent(event)
        if case .inputAudioCommit = event.detail {
            let isReplayed = event.id?.contains(".replay.") == true
            if isReplayed, checks.turnsTakenBack.contains(machine.history.unnamed[session.notes.commitsSent]) {
                session.notes.commitsExcused = session.notes.commitsSent + 1
            }
            session.notes.commitsSent += 1
        }
        if case .itemCreate(let item, _) = event.detail, let id = item.id { checks.sent.insert(id) }
        if case .responseCreate = event.detail, let id = event.id {
            session.notes.toldAtRequest[id] = session.notes.told
        }
        guard !session.isOver else { return }
        let arrival = max(now + random(in: plan.up), session.lastUp, session.stalledUntil)
        session.lastUp = arrival
        let text = event.json.text
        after(arrival - now) { [unowned self] in
            guard !session.isOver else { return }
            if case .inputAudioAppend = event.detail {
            } else {
                note("  service \(number) has \(event.type) \(event.id ?? "")")
            }
            session.receive(event, text)
        }
    }

    func deliver(_ event: ServerEvent, from session: WorldLine) {
        let arrival = max(now + random(in: plan.down), session.lastDown, session.stalledUntil)
        session.lastDown = arrival
        after(arrival - now) { [unowned self] in
            if session.isOver {
                // What was closed may still say something; what broke does not.
                guard plan.stale, closedSessions.contains(session.number) else { return }
            }
            if case .responseDone(let response) = event.detail { session.notes.unfinished[response.id] = nil }
            if case .responseCreated(let response) = event.detail, response.conversationID != nil {
                session.notes.told += 1
            }
            if session.number == machine.lifecycle.session { delivered(event.detail) }
            input(.server(session.number, event))
        }
    }

    /// A session ends: what it was about to do is lost.
    func over(_ session: WorldLine) {
        guard !session.isOver else { return }
        session.end()
        for (answer, read) in session.notes.unfinished {
            for id in read { records.items[id]?.answers.removeAll { $0 == answer } }
            // Whether an answer that was lost is asked for again, depends on how much of it was heard.
            excuseAll(in: read)
            // What the guardrail holds back goes with it.
            if plan.guardrail, checks.cut[answer] == nil { checks.cut[answer] = .max / 2 }
            guard !session.notes.scripted.contains(answer) else { continue }
            let isWordless = read.allSatisfy { id in
                records.items[id].map { $0.kind == .speech && records.words($0.content).isEmpty } ?? true
            }
            if isWordless { checks.wordless += 1 }
        }
        session.notes.active = nil
    }

    /// The service closes a session, after what it has said.
    func closed(_ session: WorldLine, code: Int, reason: String) {
        let failure = SessionLifecycle.Failure(WebSocketCloseCode(rawValue: UInt16(clamping: code)), reason: reason)
        let delay = max(session.lastDown - now, 0) + 1
        after(delay) { [unowned self] in
            guard !session.isOver else { return }
            over(session)
            if !closedSessions.contains(session.number) { input(.failed(session.number, failure)) }
        }
    }

    // MARK: Sound

    private func play(_ bytes: [UInt8]) {
        if let problem = device.play(bytes, answers: records.answers.count, at: now) { fail(problem) }
    }

    private func flush() {
        if isFlushing { fail("the device was to be silent while it was becoming silent") }
        isFlushing = true
        after(plan.flushTime) { [unowned self] in
            hear()
            device.flush()
            isFlushing = false
            reportedFrames = device.heardFrames
            input(.flushed(heard: device.heardFrames))
            // What was given meanwhile comes after.
            let waiting = playsAfterFlush
            playsAfterFlush = []
            for bytes in waiting { play(bytes) }
        }
    }

    /// The device's clock ticks.
    func tick() {
        after(plan.period) { [unowned self] in tick() }
        hear()
        guard !device.isStopped else { return }
        if device.heardFrames != reportedFrames {
            reportedFrames = device.heardFrames
            input(.heard(frames: reportedFrames))
        }
        capture()
    }

    private func capture() {
        let frames = plan.period * 24 / 1_000
        guard let (number, left, block) = speaking else {
            if !isDeaf { input(.captured(WorldSound.block(0, frames: frames))) }
            return
        }
        if !isDeaf {
            if !isGivenUp, !isStopped, machine.isListening, plan.isAutomatic || checks.isPressed {
                records.utterances[number].captured[block & 127, default: 0] += frames
            }
            input(.captured(WorldSound.block(WorldSound.voice(number, block: block), frames: frames)))
        }
        speaking = left > 1 ? (number, left - 1, block + 1) : nil
        if left == 1, plan.localVoice { after(60_000) { [unowned self] in input(.voice(false)) } }
    }
}

extension WorldPlan {
    func configuration(seed: UInt64) -> VoiceMachine.Configuration {
        var configuration = VoiceMachine.Configuration()
        configuration.session.turnDetection = mode
        configuration.sessions = sessions
        configuration.hasGuardrail = guardrail
        configuration.replacement = guardrail ? "Say something else." : nil
        configuration.voiceBudget = budget
        configuration.runsTools = !programRunsTools
        configuration.filler = filler ? VoiceConfiguration.Filler() : nil
        configuration.seed = Int(truncatingIfNeeded: seed)
        return configuration
    }
}
