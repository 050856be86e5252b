// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// The start of a voice conversation.
extension VoiceEngine {
    /// Opens device and session, both at once, and gives the session the conversation so far.
    ///
    /// - Throws: `EchoError`: why one of them did not open, after which neither is open; `CancellationError`.
    func start() async throws {
        do {
            if let (spent, limit) = meter.spending.exceeded(voice: configuration.voice.budget) {
                throw EchoError.budgetExceeded(spent: spent, limit: limit)
            }
            let device = configuration.voice.device ?? ALSAVoiceDevice()
            let known = await context.queue.getOrderedMessages().map(\.id)
            try prepare(after: await context.queue.items(), known: known, try await firstTools())
            startWorking()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.open(device) }
                group.addTask { try await self.connect() }
                for try await _ in group {}
            }
        } catch {
            await close()
            throw error
        }
        // A tool may have been registered meanwhile.
        listTools()
    }

    private func prepare(after history: [ResponseItem], known: [String], _ tools: [Tool]) throws {
        var machine = VoiceMachine.Configuration()
        let voice = configuration.voice
        machine.session.instructions = context.systemMessage
        machine.session.transcription = voice.transcription
        machine.session.noiseReduction = voice.noiseReduction
        machine.session.turnDetection = context.turnMode
        machine.session.voice = voice.voice
        machine.session.speed = voice.speed
        machine.session.reasoning = configuration.realtimeModel.reasons ? configuration.reasoning?.effort : nil
        let limit = configuration.realtimeModel.maximumOutputTokens
        machine.session.maximumOutputTokens = configuration.maximumOutputTokens.map { min($0, limit ?? $0) } ?? limit
        machine.session.tools = tools.map(\.realtimeTool)
        let budget = ContextBudget(
            model: configuration.realtimeModel, configuration: configuration, scale: context.tokenScale)
        machine.contextLimit = max(
            0, budget.limit - budget.scaled(budget.cost(ofInstructions: context.systemMessage, tools: tools)))
        machine.tokenScale = context.tokenScale.value
        machine.requestLimits = configuration.requestLimits
        machine.turns = voice.turns
        machine.sessions = voice.sessions
        machine.answers = voice.limits.answers
        machine.transcripts = voice.limits.transcripts
        machine.filler = voice.filler
        machine.startAttempts = voice.limits.attempts
        machine.voiceBudget = voice.budget.flatMap { $0.isFinite ? $0 : nil }
        machine.runsTools = isAutomatic
        machine.maximumRounds = executor.configuration.maximumRounds
        machine.hasGuardrail = voice.guardrail != nil
        machine.replacement = voice.guardrail?.replacement
        machine.names = Self.freeName(among: history)
        machine.seed = .random(in: .min ... .max)
        try machine.session.validate(for: configuration.endpoint)
        let items = history.closed().compactMap(\.sessionItem)
        self.machine = VoiceMachine(configuration: machine, history: items, knownMessages: known)
        recorder = voice.trace.map { sink in
            VoiceTraceRecorder(sink: sink, configuration: machine, history: items, knownMessages: known)
        }
    }

    /// A prefix for ids that no item of another engine has.
    private static func freeName(among history: [ResponseItem]) -> String {
        var number = 1
        while history.contains(where: { $0.id?.hasPrefix("v\(number).") ?? false }) { number += 1 }
        return "v\(number)"
    }

    /// The registered tools, and those of servers that answer soon.
    private func firstTools() async throws -> [Tool] {
        let registered = try context.tools.registered()
        guard context.tools.hasSources else { return registered }
        let outcome = Promise<[Tool]>()
        let context = context
        let (clock, patience) = (clock, configuration.voice.limits.tools)
        tasks.add {
            do { outcome.resolve(.success(try await context.tools.all())) } catch { outcome.resolve(.failure(error)) }
            await self.listTools()
        }
        tasks.add {
            try? await clock.sleep(patience)
            outcome.resolve(.success(registered))
        }
        return try await outcome.valueOrGivingUp()
    }

    private func open(_ device: any VoiceDevice) async throws {
        let stream: any VoiceStream
        do {
            stream = try await device.open()
        } catch {
            guard error is EchoError || error is CancellationError else { throw EchoError.audioError("\(error)") }
            throw error
        }
        guard phase == .running, !Task.isCancelled else {
            await stream.close()
            throw CancellationError()
        }
        self.stream = stream
        tasks.add { await self.listen(to: stream) }
    }

    private func connect() async throws {
        feed(.start)
        try await ready.valueOrGivingUp()
    }

    /// Handles a report of a session.
    func receive(_ report: VoiceSession.Report, from session: VoiceSession) {
        let number = session.number
        guard sessions[number] === session else { return }
        switch report {
        case .opened:
            lastError = nil
            feed(.opened(number))
        case .event(let event): feed(.server(number, event))
        case .refused(let error): effects.yield(.emit(.error(error)))
        case .ended(let failure, let error):
            sessions[number] = nil
            lastError = error ?? lastError
            feed(.failed(number, failure))
        }
    }

    /// Replaces a session that accepts no more events.
    func give(up number: Int) {
        guard let session = sessions.removeValue(forKey: number) else { return }
        session.end()
        feed(.failed(number, .broken(retryAfter: nil)))
    }
}

extension ResponseItem {
    /// The longest id that a voice session accepts, in characters. The ids of the responses API are longer.
    private static let maximumIDLength = 32

    /// The item with an id that a voice session accepts; `nil` if a session takes no such item.
    fileprivate var sessionItem: ResponseItem? {
        switch self {
        case .message, .functionCall, .functionCallOutput:
            var item = self
            item.id = id.map { String($0.suffix(Self.maximumIDLength)) }
            guard case .message(var message) = item else { return item }
            message.content.removeAll { $0.text?.isEmpty == true }
            return .message(message)
        case .customToolCall, .customToolCallOutput, .reasoning, .reference, .unknown: return nil
        }
    }
}

/// Voice for each `Echo` of a program that links this module: EchoText asks for this conformance (ADR 0039).
extension ConversationEngineFactory: VoiceEngineMaking {
    package func voiceEngine(
        _ context: ConversationContext, over connection: APIConnection
    ) async throws -> any ConversationEngine {
        let engine = VoiceEngine(
            context: context, connection: connection, configuration: configuration,
            automaticToolExecution: automaticToolExecution, executor: executor, meter: meter)
        try await engine.start()
        return engine
    }
}
