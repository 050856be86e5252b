// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// Carries out the machine's actions.
extension VoiceEngine {
    func perform(_ action: VoiceAction) {
        switch action {
        case .connect(let number): connect(number)
        case .send(let number, let event):
            guard let session = sessions[number], !session.send(event) else { break }
            give(up: number)
        case .close(let number): sessions.removeValue(forKey: number)?.end()
        case .play, .flush: move(action)
        case .messages(let operations): effects.yield(.messages(operations))
        case .call(let call): carryOut(call)
        case .judge(let id, let text): judge(id, text)
        case .done(let number, let failure): effects.yield(.done(number, failure))
        case .emit(let event): follow(event)
        case .count(let usage): count(usage)
        case .report(let failure): emit(.error(EchoError(failure, last: lastError)))
        case .giveUp(let failure): gaveUp(failure)
        }
    }

    private func connect(_ number: Int) {
        let session = VoiceSession(
            number, api: connection, configuration: machine.session, limits: configuration.voice.limits)
        sessions[number] = session
        tasks.add { await session.run { report in await self.receive(report, from: session) } }
    }

    private func gaveUp(_ failure: SessionLifecycle.Failure) {
        let error = EchoError(failure, last: lastError)
        lastError = error
        ready.resolve(.failure(error))
        guard isReady, phase == .running else { return }
        effects.yield(.emit(.error(error)))
        context.modeRequests.fallBackToText(.failed(error))
    }

    private func judge(_ id: Int, _ text: String) {
        guard let guardrail = configuration.voice.guardrail, phase != .retired else { return }
        let clock = clock
        tasks.add {
            let verdict = Promise<Bool>()
            // Do not wait for the program's own code beyond its time limit.
            let work = Task { verdict.resolve(.success(await guardrail.allows(text))) }
            let timer = Task {
                guard (try? await clock.sleep(guardrail.timeout)) != nil else { return }
                verdict.resolve(.success(false))
            }
            let isAllowed = (try? await verdict.valueOrGivingUp()) ?? false
            work.cancel()
            timer.cancel()
            await self.feed(.judged(id: id, isAllowed: isAllowed))
        }
    }

    // MARK: Events

    /// Emits an event of the machine, and does what the engine owes at it.
    private func follow(_ event: EchoEvent) {
        switch event {
        case .turnChanged(.user): listToolsOfServers()
        case .assistantTextDelta(let piece):
            // Answers come one at a time: after the server has accepted the request, the text is that answer's.
            if let listener, machine.sayings.contains(where: { $0.command == listener.number && $0.isResolved }) {
                listener.take(piece)
            }
        default: break
        }
        emit(event)
        switch event {
        case .assistantStartedSpeaking:
            isSpeaking = true
            emit(.audioStatusChanged(.speaking))
        case .assistantStoppedSpeaking:
            isSpeaking = false
            emit(.audioStatusChanged(isMuted ? .muted : .listening))
            watchBudget()
        case .turnEnded(.assistant): effects.yield(.turnEnded)
        default: break
        }
    }

    func emit(_ detail: EchoEvent) { effects.yield(.emit(detail)) }

    // MARK: Cost

    private func count(_ usage: VoiceUsage) {
        let cost =
            switch usage {
            case .answer(let usage, let id): meter.record(usage, model: configuration.realtimeModel, id: id)
            case .transcript(let usage, _):
                meter.record(usage, model: configuration.transcriptionModel)
            }
        emit(.usageCounted(cost, total: meter.totals))
        watchBudget()
    }

    /// Continues in text once the budget is used up, when the assistant has finished speaking.
    private func watchBudget() {
        guard !isSpeaking, !isOverBudget, phase == .running,
            let (spent, limit) = meter.exceeded(voice: configuration.voice.budget)
        else { return }
        isOverBudget = true
        context.modeRequests.fallBackToText(.budgetExceeded(spent: spent, limit: limit))
    }
}
