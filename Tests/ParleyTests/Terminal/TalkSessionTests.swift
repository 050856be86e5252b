// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import DomainTestSupport
import Foundation
import Synchronization
import TerminalKit
import Testing

@testable import parley

@Suite struct TalkSessionTests {
    private let repository = InMemoryConversationRepository()
    private let screen = Pipe()

    private func session(_ listener: ScriptedListener) -> TalkSession {
        let nowhere = OutputStream(descriptor: open("/dev/null", O_WRONLY))
        return TalkSession(
            hold: HoldSpokenTurn(
                listener: listener, speaker: SilentSpeaker(),
                answerQuestion: AnswerQuestion(
                    assistant: ScriptedAssistant(), conversations: repository, wording: \.message)),
            finishListening: { listener.finish() }, map: nil,
            console: Console(
                output: nowhere, errors: OutputStream(descriptor: screen.fileHandleForWriting.fileDescriptor),
                isJSON: true,
                traits: TerminalTraits(environment: [:], isTerminal: false)),
            logger: .disabled)
    }

    /// Waits until the session asks for the next question.
    private func prompt() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [screen] in
                var seen = Data()
                while !seen.contains(Data("Press Enter".utf8)) { seen += screen.fileHandleForReading.availableData }
                continuation.resume()
            }
        }
    }

    @Test func aTurnForEachEnterAndNoMore() async throws {
        let listener = ScriptedListener([.success("one"), .success("two")])
        let (lines, keyboard) = AsyncStream.makeStream(of: String.self)
        async let code = session(listener).pushToTalk(lines, in: OngoingConversation(Conversation(startedAt: .now)))
        for turn in 1...2 {
            await prompt()
            keyboard.yield("")
            await listener.waitUntilListening(turn)
            keyboard.yield("")
        }
        await prompt()
        keyboard.finish()
        #expect(try await code == .done)
        #expect(await repository.recentMessages(limit: 9).map(\.text).contains("two"))
    }

    @Test func aRefusalDoesNotEndTheSessionAndABrokenDeviceDoes() async throws {
        let listener = ScriptedListener([.failure(DomainError.notUnderstood), .failure(DomainError.device("gone"))])
        let (lines, keyboard) = AsyncStream.makeStream(of: String.self)
        let session = session(listener)
        let running = Task {
            try await session.pushToTalk(lines, in: OngoingConversation(Conversation(startedAt: .now)))
        }
        for turn in 1...2 {
            await prompt()
            keyboard.yield("")
            await listener.waitUntilListening(turn)
            listener.finish()
        }
        await #expect(throws: DomainError.device("gone")) { try await running.value }
    }

    @Test func theEndOfTheInputEndsTheQuestionAndTheSession() async throws {
        let listener = ScriptedListener([.success("one")])
        let (lines, keyboard) = AsyncStream.makeStream(of: String.self)
        async let code = session(listener).pushToTalk(lines, in: OngoingConversation(Conversation(startedAt: .now)))
        keyboard.yield("")
        await listener.waitUntilListening(1)
        keyboard.finish()
        #expect(try await code == .done)
        #expect(await repository.recentMessages(limit: 9).first?.text == "one")
    }

    @Test func aFileIsOneTurnWhoseRefusalIsTheExitCode() async throws {
        let listener = ScriptedListener([.failure(DomainError.noSpeech)])
        listener.finish()
        #expect(try await session(listener).oneTurn(in: OngoingConversation(Conversation(startedAt: .now))) == .refused)
    }
}

/// Listens until it is told to finish, then gives the next result of its script.
private final class ScriptedListener: SpeechListener {
    private struct State {
        var script: [Result<String, any Error>]
        var begun = 0
        var finishes = 0
        var waiting: [(isMet: @Sendable (Int, Int) -> Bool, resume: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    init(_ script: [Result<String, any Error>]) {
        state = Mutex(State(script: script))
    }

    func listen(_ report: @Sendable (ListeningEvent) async -> Void) async throws -> Transcript {
        let turn = update {
            $0.begun += 1
            return $0.begun
        }
        await wait { _, finishes in finishes >= turn }
        let result = update { $0.script.removeFirst() }
        return Transcript(text: try result.get(), confidence: 1)
    }

    func finish() { update { $0.finishes += 1 } }
    func waitUntilListening(_ turn: Int) async { await wait { begun, _ in begun >= turn } }

    private func wait(_ isMet: @escaping @Sendable (Int, Int) -> Bool) async {
        await withCheckedContinuation { continuation in update { $0.waiting.append((isMet, continuation)) } }
    }

    @discardableResult
    private func update<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
        let (value, ready) = state.withLock { state in
            let value = change(&state)
            let (begun, finishes) = (state.begun, state.finishes)
            let ready = state.waiting.filter { $0.isMet(begun, finishes) }.map(\.resume)
            state.waiting.removeAll { $0.isMet(begun, finishes) }
            return (value, ready)
        }
        for continuation in ready { continuation.resume() }
        return value
    }
}

private struct SilentSpeaker: SpeechSpeaker {
    func speak(_ text: AsyncStream<String>, _ report: @Sendable (SpeakingEvent) async -> Void) async throws {}
}
