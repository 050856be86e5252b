// SPDX-License-Identifier: MIT

@testable import Echo
@testable import EchoSimulator
@testable import EchoText

/// What has to hold when all is quiet.
extension VoiceWorld {
    var isQuiet: Bool {
        guard speaking == nil, !checks.isPressed, device.isSilent, !isFlushing, toolsRunning == 0 else { return false }
        guard commands.isEmpty, messages.transcript.pending.isEmpty else { return false }
        if isGivenUp || isStopped { return true }
        guard let session = machine.lifecycle.session.flatMap({ sessions[$0] }), !session.isOver else { return false }
        guard max(session.stalledUntil, session.lastDown, session.lastUp) + 100_000 < now + 1_000_000 else {
            return false
        }
        return session.notes.active == nil && !machine.isBusy && !machine.turns.isUsersTurn && !machine.turns.isPaused
    }

    /// Lets everything come to its end, without more faults, and judges.
    func finish(within limit: Int = 150_000_000) {
        let end = now + limit
        var quietSince: Int?
        while failures.isEmpty, now < end {
            run(200_000)
            quietSince = isQuiet ? quietSince ?? now : nil
            if let quietSince, now - quietSince >= 3_000_000 { break }
        }
        guard failures.isEmpty else { return }
        if quietSince == nil { fail("it does not come to rest: \(unrest)") }
        for fault in messages.faults { fail(fault) }
        for (call, count) in checks.results where count != 1 && !(isGivenUp && count == 0) {
            fail("\(call) has \(count) results")
        }
        judgeMessages()
        judgeTranscript()
        if !isGivenUp { judgeSpeech() }
        if !isGivenUp { judgeAnswers() }
    }

    private var unrest: String {
        let session = machine.lifecycle.session.flatMap { sessions[$0] }
        return [
            "commands \(commands)", "waiting \(messages.transcript.pending.map(\.id))", "device \(device.unheard)",
            "tools \(toolsRunning)", "session \(session.map { "\($0.number) \($0.isOver)" } ?? "none")",
            "service answers \(session?.notes.active ?? "nothing")", "answering \(machine.turns.isAnswering)",
            "user's turn \(machine.turns.isUsersTurn)", "paused \(machine.turns.isPaused)",
            "busy \(machine.gate.isBusy)",
            "calls \(machine.calls.running)",
        ].joined(separator: ", ")
    }

    /// Each message is there once, in order, with its text or a reason.
    private func judgeMessages() {
        let all = messages.all
        if Set(all.map(\.id)).count != all.count { fail("messages are there twice: \(all.map(\.id))") }
        for id in checks.typed where !isGivenUp && all.filter({ $0.id == id }).count != 1 {
            fail("\(id), which was typed, is not there once")
        }
        let typed = all.map(\.id).filter(checks.typed.contains)
        if typed != checks.typed.filter(typed.contains) { fail("what was typed is out of order: \(typed)") }
        let service = machine.lifecycle.session.flatMap { sessions[$0] }?.notes.order ?? []
        let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
        let known = service.filter { places[$0] != nil }
        for (first, second) in zip(known, known.dropFirst()) {
            guard let before = places[first], let after = places[second], before > after else { continue }
            if after >= messages.releasedBefore[first] ?? 0 {
                fail("\(second) is before \(first), unlike the service's")
            }
        }
        for message in all {
            guard let item = records.items[message.id] else { continue }
            switch item.kind {
            case .speech:
                if message.transcriptFailure == nil, message.text != records.words(item.content) {
                    fail("\(message.id) says \"\(message.text)\", not \"\(records.words(item.content))\"")
                }
                if message.transcriptFailure != nil, checks.transcribed.contains(message.id) {
                    fail("\(message.id) has no text, though it came: \(message.transcriptFailure ?? "")")
                }
            case .answer where message.role == .assistant:
                if !item.text.hasPrefix(message.text.trimmingSuffix { $0.isWhitespace || $0 == "…" }) {
                    fail("\(message.id) says \"\(message.text)\", not \"\(item.text)\"")
                }
            default: break
            }
        }
    }

    /// The program's transcript and the machine's have the same items, and the session those that have content.
    private func judgeTranscript() {
        func summary(_ items: [ResponseItem]) -> [String] {
            items.compactMap { item in
                switch item {
                // Speech without words keeps its position here, and its sound there.
                case .message(let message) where message.text.isEmpty: nil
                case .message(let message): "\(message.id ?? "") \(message.role.rawValue): \(message.text)"
                case .functionCall(let call): "\(call.id ?? "") calls \(call.callID) \(call.arguments)"
                case .functionCallOutput(let output): "result of \(output.callID): \(output.text)"
                default: "\(item)"
                }
            }
        }
        let ours = summary(messages.transcript.items)
        let session = summary(machine.history.items(of: machine.transcript))
        if ours != session { fail("the transcript is \(ours), the session's history \(session)") }
        if messages.transcript.items != machine.transcript.items { fail("the machine has another transcript") }
    }

    /// All that the user said is in the messages once, in order.
    private func judgeSpeech() {
        var found: [Int: [Int: Int]] = [:]
        var last = (utterance: 0, block: -1)
        for message in messages.all where message.role == .user {
            guard let item = records.items[message.id] else { continue }
            for fragment in item.content {
                found[fragment.utterance, default: [:]][fragment.block, default: 0] += fragment.frames
                guard checks.restorations[item.id] == nil, records.utterances[fragment.utterance].hasWords else {
                    continue
                }
                let place = (fragment.utterance, fragment.block)
                if place < last { fail("\(item.id) has utterance \(place) after \(last)") }
                last = place
            }
        }
        // What was taken for noise and never understood otherwise may be gone.
        let noise = checks.deleted.subtracting(checks.restored).filter { id in
            !checks.transcribed.contains(id) || records.items[id].map { records.words($0.content).isEmpty } ?? true
        }
        for (number, utterance) in records.utterances.enumerated() where utterance.hasWords {
            guard utterance.captured.values.reduce(0, +) >= 4_800 else { continue }
            for (block, frames) in utterance.captured {
                let there = found[number]?[block] ?? 0
                if there > frames { fail("utterance \(number) is there twice, in block \(block)") }
                guard there < frames else { continue }
                let isNoise = noise.contains { id in
                    records.items[id]?.content.contains { $0.utterance == number && $0.block == block } ?? false
                }
                if !isNoise { fail("utterance \(number) lacks block \(block): \(there) of \(frames) frames") }
            }
            if !failures.isEmpty { return }
        }
    }

    /// The service knows of an interrupted answer what was heard.
    private func judgeCut(_ id: String, in session: WorldLine) {
        guard let item = records.items[id], item.kind == .answer, let kept = session.service.items[id], kept.hasSound,
            let response = item.responseID, checks.cut[response] != nil
        else { return }
        let heard = (checks.heard[item.number] ?? 0) / 24
        if kept.milliseconds > heard + plan.period / 1_000 {
            fail("\(id) was heard for \(heard) ms, and the service takes it for \(kept.milliseconds)")
        }
    }

    /// Each question was answered, and each answer heard.
    private func judgeAnswers() {
        guard let session = machine.lifecycle.session.flatMap({ sessions[$0] }) else { return }
        for id in session.notes.order {
            if let item = records.items[id], item.isBad, item.text.contains("BAD") {
                fail("\(id) is still in the conversation, though it was blocked")
            }
            judgeCut(id, in: session)
            guard let item = records.items[id], item.kind != .answer, item.kind != .call, !item.isExcused else {
                continue
            }
            if item.answers.isEmpty { fail("\(id) was never answered") }
        }
        for (index, id) in records.answers.enumerated() {
            guard let item = records.items[id], item.isWhole, !item.isBad, !item.isForeign, !checks.deleted.contains(id)
            else { continue }
            guard let response = item.responseID, checks.responses.contains(response), checks.cut[response] == nil
            else {
                continue
            }
            let heard = checks.heard[index + 1] ?? 0
            if heard != item.frames { fail("\(id) of \(item.frames) frames was heard for \(heard)") }
            if messages.all.filter({ $0.id == id }).count != 1 { fail("\(id) is not among the messages once") }
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, matches(last) { text.removeLast() }
        return text
    }
}
