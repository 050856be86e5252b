// SPDX-License-Identifier: MIT

import Diagnostics
import Testing

@testable import Echo

/// An engine that writes down what it is asked, in the place of the voice half.
private final class RecordedEngine: ConversationEngine {
    let mode: EchoMode
    let messages: [String]
    let asked = Collected<String>()
    let turn: Gate?
    private let context: ConversationContext
    private let line = TurnLine()
    private let isClosed = Guarded(false)
    private let isPaused = Guarded(false)

    init(_ mode: EchoMode, _ context: ConversationContext, turn: Gate? = nil) async {
        self.mode = mode
        self.context = context
        self.turn = turn
        messages = await context.queue.getOrderedMessages().map(\.text)
    }

    func send(_ text: String) async throws {
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
    func endUserTurn() async throws { asked.append("endUserTurn") }
    func interruptAssistant() async throws { asked.append("interrupt") }
    func setMuted(_ muted: Bool) async throws { asked.append("muted \(muted)") }

    func pause() async throws {
        asked.append("pause")
        try await line.enter()
        isPaused.withLock { $0 = true }
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

@Suite("Mode switching")
struct ModeSwitchingTests {
    private func context() -> ConversationContext {
        ConversationContext(
            id: "talk", systemMessage: nil, turnMode: .manual, queue: MessageQueue(eventEmitter: MockEventEmitter()),
            emitter: MockEventEmitter(), tools: ToolRegistry())
    }

    @Test("A turn in progress ends first, the new mode has all its messages, and what waited goes there")
    func switching() async throws {
        let context = context()
        let gate = Gate()
        let text = await RecordedEngine(.text, context, turn: gate)
        let made = Collected<RecordedEngine>()
        let conversation = Conversation(context: context, engine: text) { mode, context in
            let engine = await RecordedEngine(mode, context)
            made.append(engine)
            return engine
        }
        async let first: Void = conversation.send("first")
        _ = await text.asked.first(1)
        async let switching: Void = conversation.switchMode(to: .audio)
        _ = await text.asked.first(2)
        async let second: Void = conversation.send("second")
        _ = await text.asked.first(3)
        gate.open()
        try await first
        try await switching
        try await second
        #expect(await conversation.mode == .audio)
        #expect(made.values.first?.messages == ["first"])
        #expect(made.values.first?.asked.values == ["begin second", "end second"])
        #expect(text.asked.values == ["begin first", "pause", "begin second", "end first", "close"])
        #expect(await conversation.allMessages.map(\.text) == ["first", "second"])
        try await conversation.setMuted(true)
        try await conversation.endUserTurn()
        #expect(made.values.first?.asked.values.suffix(2) == ["muted true", "endUserTurn"])
        await conversation.close()
        await #expect(throws: EchoError.self) { try await conversation.send("third") }
        await #expect(throws: EchoError.self) { try await conversation.switchMode(to: .text) }
    }

    @Test("Where the new mode cannot be had, the old one goes on, and what waited, too")
    func failure() async throws {
        let context = context()
        let text = await RecordedEngine(.text, context)
        let conversation = Conversation(context: context, engine: text) { _, _ in
            throw EchoError.connectionFailed("no way")
        }
        await #expect(throws: EchoError.self) { try await conversation.switchMode(to: .audio) }
        #expect(text.asked.values == ["pause", "resume"])
        try await conversation.send("still here")
        #expect(await conversation.mode == .text)
        #expect(await conversation.allMessages.map(\.text) == ["still here"])
    }
}
