// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Testing

@testable import EchoText

/// An engine that writes down what it is asked, in the place of the voice half.
private final class RecordedEngine: ConversationEngine {
    let mode: EchoMode
    let began: [ResponseItem]
    let filled = Collected<String>()
    let lateGate = Gate()
    let asked = Collected<String>()
    let turn: Gate?
    private let context: ConversationContext
    private let line = TurnLine()
    private let isClosed = Guarded(false)
    private let isPaused = Guarded(false)

    init(_ mode: EchoMode, _ context: ConversationContext, _ items: [ResponseItem] = [], turn: Gate? = nil) {
        self.mode = mode
        self.context = context
        self.turn = turn
        began = items
    }

    func send(_ text: String, deltas: (@Sendable (String) -> Void)?) async throws {
        asked.append("begin \(text)")
        try await line.enter()
        defer { line.leave() }
        guard !isClosed.withLock({ $0 }) else { throw ConversationEngineClosed() }
        await turn?.pass()
        await context.queue.enqueue(role: .user, text: text)
        asked.append("end \(text)")
    }

    func submit(_ results: [ToolResult]) async throws {}
    func pendingToolCalls() async -> [ToolCall] { [] }
    func beginUserTurn() async throws { asked.append("beginUserTurn") }
    func endUserTurn() async throws { asked.append("endUserTurn") }
    func interruptAssistant() async throws { asked.append("interrupt") }
    func setMuted(_ muted: Bool) async throws { asked.append("muted \(muted)") }

    func fill(_ id: String, transcript: String) async { filled.append("\(id): \(transcript)") }

    func pause() async throws {
        asked.append("pause")
        let place = line.reserveFirst()
        turn?.open()
        try await line.wait(for: place)
        isPaused.withLock { $0 = true }
    }

    func retire() async {
        asked.append("retire")
        isClosed.withLock { $0 = true }
        leave()
    }

    func linger(late: @escaping @Sendable (String, String) async -> Void) async {
        await withTaskCancellationHandler {
            await lateGate.pass()
        } onCancel: {
            lateGate.open()
        }
        if !Task.isCancelled { await late("talk-1", "late words") }
        asked.append("lingered")
    }

    func resume() async {
        asked.append("resume")
        leave()
    }

    func close() async {
        asked.append("close")
        isClosed.withLock { $0 = true }
        leave()
    }

    private func leave() {
        let wasPaused = isPaused.withLock { isPaused in
            defer { isPaused = false }
            return isPaused
        }
        if wasPaused { line.leave() }
    }
}

@Suite("Mode switching", .timeLimit(.minutes(5)))
struct ModeSwitchingTests {
    private func context() -> ConversationContext {
        ConversationContext(
            id: "talk", systemMessage: nil, turnMode: .manual, queue: MessageQueue(eventEmitter: MockEventEmitter()),
            events: ConversationEvents(next: MockEventEmitter()), tools: ToolRegistry(), tokenScale: TokenScale())
    }

    @Test("A turn in progress is cut, the new mode has all that was said, and what waited goes there")
    func switching() async throws {
        let context = context()
        let text = RecordedEngine(.text, context, turn: Gate())
        let made = Collected<RecordedEngine>()
        let conversation = Conversation(context: context, engine: text) { mode, context in
            let engine = RecordedEngine(mode, context, await context.queue.items())
            made.append(engine)
            return engine
        }
        async let first: Void = conversation.send("first")
        _ = try await text.asked.first(1)
        async let second: Void = conversation.send("second")
        _ = try await text.asked.first(2)
        try await conversation.switchMode(to: .audio)
        try await first
        try await second
        #expect(await conversation.mode == .audio)
        let voice = try #require(made.values.first)
        #expect(voice.began.compactMap(\.id) == ["message-1"])
        #expect(voice.asked.values == ["begin second", "end second"])
        #expect(text.asked.values == ["begin first", "begin second", "pause", "end first", "retire"])
        #expect(await conversation.allMessages.map(\.text) == ["first", "second"])
        text.lateGate.open()
        #expect(try await voice.filled.first(1) == ["talk-1: late words"])
        try await conversation.setMuted(true)
        try await conversation.beginUserTurn()
        try await conversation.endUserTurn()
        #expect(voice.asked.values.suffix(3) == ["muted true", "beginUserTurn", "endUserTurn"])
        await conversation.close()
        #expect(text.asked.values.last == "lingered")
        await #expect(throws: EchoError.self) { try await conversation.send("third") }
        await #expect(throws: EchoError.self) { try await conversation.switchMode(to: .text) }
    }

    @Test("Where the new mode cannot be had, the old one goes on, and what waited, too, and an event tells")
    func failure() async throws {
        let emitter = MockEventEmitter()
        let context = ConversationContext(
            id: "talk", systemMessage: nil, turnMode: .manual, queue: MessageQueue(eventEmitter: emitter),
            events: ConversationEvents(next: emitter), tools: ToolRegistry(), tokenScale: TokenScale())
        let text = RecordedEngine(.text, context)
        let conversation = Conversation(context: context, engine: text) { _, _ in
            throw EchoError.connectionFailed("no way")
        }
        await #expect(throws: EchoError.self) { try await conversation.switchMode(to: .audio) }
        #expect(text.asked.values == ["pause", "resume"])
        #expect(emitter.events.contains { $0.type == .error })
        try await conversation.send("still here")
        #expect(await conversation.mode == .text)
        #expect(await conversation.allMessages.map(\.text) == ["still here"])
    }

    @Test("Closing ends a change of modes that takes its time, and the engine that was being made")
    func closing() async throws {
        let context = context()
        let text = RecordedEngine(.text, context)
        let begun = Collected<Void>()
        let conversation = Conversation(context: context, engine: text) { mode, context in
            begun.append(())
            let gate = Gate()
            await withTaskCancellationHandler {
                await gate.pass()
            } onCancel: {
                gate.open()
            }
            try Task.checkCancellation()
            return RecordedEngine(mode, context)
        }
        let change = Task { try await conversation.switchMode(to: .audio) }
        _ = try await begun.first(1)
        await conversation.close()
        await #expect(throws: EchoError.self) { try await change.value }
        #expect(text.asked.values == ["pause", "resume", "close"])
    }

    @Test("An engine that cannot go on is followed by text")
    func fallBack() async throws {
        let emitter = EventEmitter()
        let changes = Collected<EchoMode>()
        emitter.when([.modeChanged]) { event in
            if case .modeChanged(let mode, .budgetExceeded(2, 1)) = event { changes.append(mode) }
        }
        let context = ConversationContext(
            id: "talk", systemMessage: nil, turnMode: .manual, queue: MessageQueue(eventEmitter: emitter),
            events: ConversationEvents(next: emitter), tools: ToolRegistry(), tokenScale: TokenScale())
        let conversation = Conversation(context: context, engine: RecordedEngine(.audio, context)) { mode, context in
            RecordedEngine(mode, context)
        }
        context.modeRequests.fallBackToText(.budgetExceeded(spent: 2, limit: 1))
        #expect(try await changes.first(1) == [.text])
        #expect(await conversation.mode == .text)
        await conversation.close()
    }
}
