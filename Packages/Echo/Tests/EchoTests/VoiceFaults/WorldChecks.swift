// SPDX-License-Identifier: MIT

@testable import Echo

/// What the world remembers to judge the machine by.
struct WorldChecks {
    var calls: Set<String> = []
    /// The number of results that each requested call has.
    var results: [String: Int] = [:]
    /// Those that ran when the user interrupted: nobody waits for their results any more.
    var stray: Set<String> = []
    var typed: [String] = []
    /// Items that the machine has sent, and those that it had when every wish for an answer was taken back.
    var sent: Set<String> = []
    var takenBack: Set<String> = []
    /// Turns that had no name by then: the next session commits them again.
    var turnsTakenBack: Set<String> = []
    var isPressed = false
    /// Items whose transcripts the machine was given.
    var transcribed: Set<String> = []
    /// Items that were taken for noise, and those that were put back.
    var deleted: Set<String> = []
    var restored: Set<String> = []
    /// What was put back, by the name that it got.
    var restorations: [String: String] = [:]
    /// How far each answer was heard, by number.
    var heard: [Int: Int] = [:]
    /// Answers that the machine was told of, the latest last, and when those that were interrupted were.
    var responses: [String] = []
    var cut: [String: Int] = [:]
    /// Since when nothing of the answers until then may be heard, since the user speaks.
    var silence: (since: Int, answers: Int)?
    /// The last answer of which sound came.
    var lastDelivered = 0
    /// Answers that were lost and read nothing but what had no words, which is not repeated to the next session.
    var wordless = 0
}

extension VoiceWorld {
    // MARK: Sound

    /// What was heard since the last call is what may be heard.
    func hear() {
        for run in device.advance(to: now) {
            let expected = checks.heard[run.answer] ?? 0
            checks.heard[run.answer] = run.from + run.count
            guard run.answer <= records.answers.count, let item = records.items[records.answers[run.answer - 1]] else {
                fail("an answer was heard that there is not")
                continue
            }
            if run.from != expected { fail("\(item.id) was heard from frame \(run.from) on after \(expected)") }
            if item.isBad { fail("\(item.id) was heard, which must not be") }
            let grace = plan.flushTime + plan.period
            if let cut = item.responseID.flatMap({ checks.cut[$0] }), run.until > cut + grace {
                fail("\(item.id) was heard until \(run.until), but interrupted at \(cut)")
            }
            if let silence = checks.silence, run.answer <= silence.answers, run.until > silence.since + grace {
                fail("\(item.id) was heard until \(run.until) over the user, who spoke at \(silence.since)")
            }
        }
    }

    /// The machine is told something by the session that it uses.
    func delivered(_ detail: ServerEvent.Detail) {
        switch detail {
        case .speechStarted: if plan.isAutomatic { checks.silence = (now, checks.lastDelivered) }
        case .transcriptCompleted(let transcript): checks.transcribed.insert(transcript.itemID)
        case .responseCreated(let response):
            checks.responses.append(response.id)
            if checks.responses.count > 16 { checks.cut[checks.responses.removeFirst()] = nil }
        case .audioDelta(let place, let bytes):
            records.items[place.itemID]?.delivered += bytes.count / 2
            checks.lastDelivered = max(checks.lastDelivered, records.items[place.itemID]?.number ?? 0)
        case .outputItemDone(let item, _, _):
            if case .message(let message) = item, let id = message.id {
                records.items[id]?.isWhole = message.status == .completed
            }
        default: break
        }
    }

    // MARK: What the machine does

    func sent(_ event: ClientEvent) {
        // Its decision counts, even where the line breaks before the service hears of it.
        if case .itemDelete(let id) = event.detail { deleted(id) }
        guard case .itemTruncate(let id, _, let end) = event.detail, let item = records.items[id] else { return }
        let heard = checks.heard[item.number] ?? 0
        let period = plan.period / 1_000
        if abs(end - heard / 24) > period { fail("\(id) was truncated to \(end) ms, and heard for \(heard / 24)") }
        if end < 1 || end > item.delivered / 24 {
            fail("\(id) was truncated to \(end) ms, of which \(item.delivered / 24) had come")
        }
    }

    func emitted(_ event: EchoEvent) {
        switch event {
        case .connectionStatusChanged(let status):
            self.status = status
            checks.silence = nil
        case .assistantInterrupted:
            if let response = checks.responses.last, checks.cut[response] == nil { forgetUnheard(response) }
            for response in checks.responses where checks.cut[response] == nil { checks.cut[response] = now }
            checks.silence = nil
            checks.stray.formUnion(checks.calls)
            if !plan.isAutomatic { excuseEverything() }
        case .interruptionWasFalse: checks.silence = nil
        case .toolCallRequested(let call):
            checks.results[call.id] = 0
            if plan.programRunsTools, machine.pendingCalls.contains(call) {
                checks.calls.insert(call.id)
                runForProgram(call)
            }
        case .toolResultSubmitted(let result): checks.results[result.callID, default: 0] += 1
        default: break
        }
    }

    private func deleted(_ id: String) {
        checks.deleted.insert(id)
        records.items[id]?.isExcused = true
        if let item = records.items[id], item.kind == .answer { item.responseID.map(forgetUnheard) }
    }

    /// What an answer of which nothing was heard answers may be asked again.
    private func forgetUnheard(_ response: String) {
        let heard = records.items.values.contains { $0.responseID == response && checks.heard[$0.number] != nil }
        guard !heard else { return }
        for (question, record) in records.items where record.answers.contains(response) {
            records.items[question]?.answers.removeAll { $0 == response }
            records.items[question]?.isExcused = true
        }
    }

    // MARK: What the service sees

    func restored(_ record: WorldRecords.Item) {
        guard record.kind == .typed, record.text.hasPrefix("word"), checks.restorations[record.id] == nil else {
            return
        }
        let noise = checks.deleted.first { id in
            !checks.restored.contains(id) && records.items[id].map { records.words($0.content) == record.text } ?? false
        }
        guard let noise else { return fail("\(record.id) puts back what was not taken away: \(record.text)") }
        checks.restored.insert(noise)
        checks.restorations[record.id] = noise
        let content = records.items[noise]?.content ?? []
        records.items[record.id]?.content = content
    }

    func excuseAll(in ids: [String]) { for id in ids { records.items[id]?.isExcused = true } }

    /// The program takes back every wish for an answer.
    func excuseEverything() {
        excuseAll(in: Array(records.items.keys))
        checks.takenBack = checks.sent.union(machine.transcript.items.compactMap(\.id))
        checks.turnsTakenBack = Set(machine.history.unnamed)
        for session in sessions.values { session.notes.commitsExcused = session.notes.commitsSent }
    }

    /// An answer begins to which there is no question.
    func answeredAgain(_ order: [String], _ response: String, _ name: String?) {
        // What had no words and was not answered yet is not repeated to the next session.
        let gone = records.items.values.filter { item in
            item.kind == .speech && item.answers.isEmpty && !order.contains(item.id)
                && records.words(item.content).isEmpty
        }
        if !gone.isEmpty {
            for item in gone { records.items[item.id]?.answers.append(response) }
            return
        }
        if checks.wordless > 0 {
            checks.wordless -= 1
            return
        }
        let questions = order.filter { records.items[$0].map { $0.kind != .answer && $0.kind != .call } ?? false }
        fail("\(response), asked for by \(name ?? "the service"), answers nothing new of \(questions.suffix(3))")
    }
}
