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
        case .call(let call): toolCallsInput.yield(call)
        case .judge(let id, let text): judge(id, text)
        case .done(let number, let failure): effects.yield(.done(number, failure))
        case .emit(let event): emit(event)
        case .deliver(let number, let text): callers[number]?.deltas?(text)
        case .count(let usage): count(usage)
        case .listTools: if context.tools.hasSources { listTools() }
        case .report(let failure): emit(.error(EchoError(failure, last: lastError)))
        case .started: ready.resolve(.success(()))
        case .startFailed(let failure): ready.resolve(.failure(EchoError(failure, last: lastError)))
        case .fallBack(let reason): context.modeRequests.fallBackToText(ModeChangeReason(reason, last: lastError))
        }
    }

    private func connect(_ number: Int) {
        let session = VoiceSession(
            number, api: connection, configuration: machine.session, limits: configuration.voice.limits)
        sessions[number] = session
        tasks.add { await session.run { report in await self.receive(report, from: session) } }
    }

    private func judge(_ id: Int, _ text: String) {
        guard let guardrail = configuration.voice.guardrail else { return }
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

    func emit(_ detail: EchoEvent) { effects.yield(.emit(detail)) }

    private func count(_ usage: VoiceUsage) {
        let cost =
            switch usage {
            case .answer(let usage, let id): meter.record(usage, model: configuration.realtimeModel, id: id)
            case .transcript(let usage, _):
                meter.record(usage, model: configuration.transcriptionModel)
            }
        emit(.usageCounted(cost, total: meter.totals))
        feed(.counted(meter.spending))
    }
}
