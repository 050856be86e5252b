// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import DomainTestSupport
import EchoSimulator
import Foundation
import NetworkingTestSupport
import TestKit
import Testing

/// The network is cut at each step of a turn with a model: nothing hangs, no message is lost, what this machine knows is
/// answered, the rest is a typed error, and the next question after the return works.
@Suite(.timeLimit(.minutes(5))) struct CutTurnTests {
    /// A step of a turn at which the network goes.
    enum Step: String, CaseIterable, Sendable {
        case beforeConnecting, inRequest, behindRequest, inHead, beforeFirstWord, behindFirstWord, inTheMiddle,
            beforeLastByte, inCall, whileToolRuns

        /// The moment, if it is one of the exchange.
        var moment: NetworkCut.Moment? {
            switch self {
            case .beforeConnecting, .whileToolRuns: nil
            case .inRequest: .inRequest(40)
            case .behindRequest: .beforeAnswer
            case .inHead: .inAnswer(12)
            case .beforeFirstWord: .inAnswerBehind("response.in_progress")
            // The beginning of the second piece's event: the first one has come whole.
            case .behindFirstWord: .inAnswerBehind("event: response.output_text.delta", count: 2)
            case .inTheMiddle: .inAnswerBehind("event: response.output_text.delta", count: 5)
            case .beforeLastByte: .inAnswerBehind("event: response.completed")
            case .inCall: .inAnswerBehind("event: response.function_call_arguments.delta")
            }
        }

        var hasWords: Bool { [.behindFirstWord, .inTheMiddle, .beforeLastByte].contains(self) }
        var hasCall: Bool { self == .inCall || self == .whileToolRuns }

        /// What the model answers.
        var turns: [Scenario.Turn] {
            let call = Scenario.Answer(items: [.functionCall(name: "look_up", arguments: #"{"n":1}"#)])
            let back = Scenario.Turn(.message("I am back."), times: 9)
            // A request that does not arrive uses no answer up.
            if self == .beforeConnecting || self == .inRequest { return [back] }
            return [.init(hasCall ? .answer(call) : .message(CutModel.story)), back]
        }

        func cut(_ world: CutModel) {
            if let moment { return world.network.arm(.init("POST", "/v1/responses", moment)) }
            if self == .beforeConnecting { world.network.cut() }
        }
    }

    private func using(_ step: Step, _ body: (CutModel) async throws -> Void) async throws {
        try await CutModel.using(step.turns, tool: { network in if step == .whileToolRuns { network.cut() } }) {
            world in
            step.cut(world)
            try await body(world)
        }
    }

    private func error(_ result: Result<AssistantAnswer, any Error>) -> DomainError? {
        if case .failure(let error) = result { error as? DomainError } else { nil }
    }

    /// Checks what is stored of the first question, by the words that came of its answer.
    private func checkFirst(_ stored: [Message], _ step: Step, words: String) throws {
        let turn = try #require(stored.first?.turn)
        let messages = stored.filter { $0.turn == turn }
        #expect(messages.first?.role == .user && messages.first?.text == "tell me a story")
        let answer = try #require(messages.last { $0.role == .assistant })
        if step.hasWords {
            #expect(!words.isEmpty && CutModel.story.hasPrefix(words), "\(words)")
            #expect(answer.text == words && answer.state == .interrupted(heard: nil))
        } else {
            #expect(words.isEmpty && answer.text.hasPrefix("words: ") && answer.source == nil, "\(answer.text)")
        }
        let call = messages.first { $0.role == .tool }
        #expect((call?.text == "found") == (step == .whileToolRuns), "a call that was made is stored with its result")
    }

    @Test(arguments: Step.allCases)
    func byText(_ step: Step) async throws {
        try await using(step) { world in
            let ask = world.ask(.modelFirst)
            let first = try #require(error(await world.answer("tell me a story", by: ask)))
            #expect(first.isTransient, "\(first)")
            try checkFirst(await world.stored(), step, words: world.pieces)

            // One notice, with the first answer of this machine.
            for expected in [1, 0] {
                let local = try await world.answer(CutModel.known, by: ask).get()
                #expect(local.text == CutModel.knownAnswer)
                #expect(world.notices.count == expected, "\(world.notices)")
            }
            #expect(try #require(error(await world.answer("why?", by: ask))).isTransient)
            #expect(world.notices.isEmpty)

            world.network.restore()
            let back = try await world.answer("are you back?", by: ask).get()
            #expect(back.text == "I am back." && world.notices == [.available(.model)])
            #expect(try await world.answer("sure?", by: ask).get().text == "I am back.")
            #expect(world.notices.isEmpty)
            let asked = await world.stored().filter { $0.role == .user }.map(\.text)
            #expect(
                asked == [
                    "tell me a story", CutModel.known, CutModel.known, "why?", "are you back?", "sure?",
                ])
            #expect(await world.stored().filter { $0.role == .assistant }.count == 6, "each has its answer or error")
        }
    }

    @Test(arguments: Step.allCases)
    func byVoice(_ step: Step) async throws {
        try await using(step) { world in
            let ask = world.ask(.localFirst(withModel: true))
            let journal = Journal()
            func hold(_ question: String) async -> DomainError? {
                let turn = HoldSpokenTurn(
                    listener: ScriptedListener(script: .hears(question)), speaker: ScriptedSpeaker(journal: journal),
                    answerQuestion: ask)
                world.forget()
                do {
                    _ = try await turn(TurnID(), in: world.ongoing) { event in
                        if case .answering(let event) = event { world.note(event) }
                    }
                    return nil
                } catch { return error as? DomainError ?? .generationFailed("\(error)") }
            }
            let first = try #require(await hold("tell me a story"))
            #expect(first.isTransient && first.isSpokenOf, "\(first)")
            try checkFirst(await world.stored(), step, words: world.pieces)
            // The words that came are spoken, and behind them the error.
            let spoken = journal.entries.compactMap { $0.hasPrefix("speaks ") ? String($0.dropFirst(7)) : nil }
            #expect(spoken.joined() == world.pieces + "words: \(first.code)")

            #expect(await hold(CutModel.known) == nil)
            #expect(journal.entries.contains("speaks \(CutModel.knownAnswer)") && world.notices.isEmpty)
            #expect(try #require(await hold("why?")).isTransient)
            world.network.restore()
            #expect(await hold("are you back?") == nil)
            #expect(world.notices == [.available(.model)])
            #expect(await world.stored().filter { $0.role == .user }.count == 4)
            #expect(await world.stored().allSatisfy { $0.modality == .voice })
        }
    }

    /// A connection that stays open and brings nothing.
    @Test(arguments: [0, 3, 7])
    func aSilentModelIsAwayAfterTheLimit(_ events: Int) async throws {
        let turns: [Scenario.Turn] = [
            .init(.message(CutModel.story), faults: [.stall(afterEvents: events)]),
            .init(.message("I am back."), times: 9),
        ]
        try await CutModel.using(turns) { world in
            let ask = world.ask(.modelFirst)
            let isOver = Guarded(false)
            let asking = Task {
                defer { isOver.withLock { $0 = true } }
                return await world.answer("tell me a story", by: ask)
            }
            // The request has its answer; one that is given up before would leave it to the next.
            try await eventually { world.simulator.scenario.turns.count == 1 }
            if events == 7 { try await eventually { !world.pieces.isEmpty } }
            try await eventually {
                if !world.clock.remaining.isEmpty { world.clock.advance(by: .seconds(60)) }
                return isOver.withLock { $0 }
            }
            let result = await asking.value
            #expect(error(result) == .timedOut(.answer))
            let answer = try #require(await world.stored().last)
            #expect(answer.state == (world.pieces.isEmpty ? .whole : .interrupted(heard: nil)))
            #expect(try await world.answer("are you back?", by: ask).get().text == "I am back.")
        }
    }

    @Test func withoutANetworkNoTimeIsLostOnTrying() async throws {
        try await CutModel.using([.init(.message("I am back."), times: 9)]) { world in
            let ask = world.ask(.modelFirst)
            world.network.cut()
            // The circuit breaker opens with the fifth failure.
            for _ in 0..<5 { #expect(error(await world.answer("why?", by: ask))?.code == "server") }
            world.network.restore()
            let requests = world.simulator.requests.count
            let failed = try #require(error(await world.answer("why?", by: ask)))
            #expect(failed.detail?.contains("tried again in") == true, "\(failed)")
            #expect(try await world.answer(CutModel.known, by: ask).get().text == CutModel.knownAnswer)
            #expect(world.simulator.requests.count == requests, "nothing is sent")
        }
    }
}
