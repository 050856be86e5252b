// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import EchoText

/// Each fault at each state of a turn in text, and schedules by chance.
@Suite struct TextTurnMachineTests {
    enum State: CaseIterable {
        case idle, asking, speaking, running, pending, pendingPartly, askingAgain, stopping, stoppingTools, paused,
            closed

        func world() -> TextWorld {
            let isPending = self == .pending || self == .pendingPartly
            var world = TextWorld(isAutomatic: !isPending)
            if self != .idle { world.send() }
            switch self {
            case .idle, .asking: break
            case .speaking: world.delta()
            case .running: world.answer(calls: 2)
            case .pending: world.answer(calls: 2)
            case .pendingPartly:
                world.delta()
                world.answer(calls: 2)
                world.submit(Array(world.machine.pendingCalls.prefix(1)))
            case .askingAgain:
                world.answer(calls: 2)
                world.runTools()
            case .stopping:
                world.delta()
                world.interrupt()
            case .stoppingTools:
                world.answer(calls: 1)
                world.interrupt()
            case .paused:
                world.answer()
                world.pause()
            case .closed:
                world.answer()
                world.close()
            }
            return world
        }
    }

    enum Fault: CaseIterable {
        case error, disconnect, rateLimit, refusal, forgotten, toolFailure, endlessCalls
        case cancel, interrupt, interruptTwice, pauseAndResume, pauseAndClose, close, closeTwice, wrongResult, send

        func strike(_ world: inout TextWorld) {
            switch self {
            case .error: world.fail(.apiError(APIFailure(status: 500, message: "No.")))
            case .disconnect:
                world.delta()
                world.fail(.connectionFailed("lost"))
            case .rateLimit: world.fail(.rateLimitExceeded)
            case .refusal:
                world.delta()
                world.answer()
            case .forgotten: world.forget()
            case .toolFailure: world.runTools(failing: true)
            case .endlessCalls:
                for _ in 0..<5 {
                    world.answer(calls: 1)
                    world.runTools()
                }
            case .cancel: world.cancel()
            case .interrupt: world.interrupt()
            case .interruptTwice:
                world.interrupt()
                world.interrupt()
            case .pauseAndResume:
                world.pause()
                world.cancel()
                world.resume()
            case .pauseAndClose:
                world.pause()
                world.close()
            case .close: world.close()
            case .closeTwice:
                world.close()
                world.close()
            case .wrongResult: world.submit([ToolCall(id: "other", name: "f", arguments: "{}")])
            case .send: world.send()
            }
        }
    }

    @Test(arguments: Fault.allCases) func `each turn ends once, whatever fails in whichever state`(fault: Fault) {
        for state in State.allCases {
            for next in Fault.allCases {
                var world = state.world()
                fault.strike(&world)
                next.strike(&world)
                world.finish()
                #expect(world.failures.isEmpty, "\(fault) and \(next) while \(state): \(world.failures)")
            }
        }
    }

    @Test func `each turn ends once in schedules by chance`() {
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var world = TextWorld(seed: seed, isAutomatic: Bool.random(using: &random))
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                switch Int.random(in: 0..<16, using: &random) {
                case 0...3: world.send()
                case 4: world.delta()
                case 5, 6: world.answer(calls: Int.random(in: 0...2, using: &random))
                case 7: world.runTools()
                case 8: world.submit(Array(world.machine.pendingCalls.prefix(Int.random(in: 1...2, using: &random))))
                case 9: world.resume()
                default:
                    let fault = Fault.allCases.randomElement(using: &random) ?? .error
                    // Few conversations are closed early.
                    let isEnd = fault == .close || fault == .closeTwice || fault == .pauseAndClose
                    if !isEnd || Int.random(in: 0..<8, using: &random) == 0 { fault.strike(&world) }
                }
            }
            world.finish()
            #expect(world.failures.isEmpty, "seed \(seed): \(world.failures)")
        }
    }

    @Test func `the caller learns why its turn ended`() {
        func end(_ state: State, _ strike: (inout TextWorld) -> Void) -> String {
            var world = state.world()
            strike(&world)
            return world.ends.last.map { "\($0)".prefix { $0 != "(" }.description } ?? "none"
        }
        #expect(end(.asking) { $0.answer() } == "returned")
        #expect(end(.asking) { $0.cancel() } == "cancelled")
        #expect(end(.asking) { $0.fail(.rateLimitExceeded) } == "failed")
        #expect(end(.stopping) { $0.cancel() } == "interrupted")
        #expect(end(.stopping) { $0.answer() } == "interrupted")
        #expect(end(.stoppingTools) { $0.fail(.connectionFailed("lost")) } == "interrupted")
        #expect(end(.pending) { $0.send() } == "failed")
        #expect(end(.pendingPartly) { $0.submit($0.machine.pendingCalls) } == "returned")
        #expect(end(.running) { $0.runTools() } == "none")
        #expect(end(.closed) { $0.send() } == "closed")
    }

    @Test func `a model that calls on and on fails its turn`() {
        var world = TextWorld(maximumRounds: 2)
        world.send()
        for _ in 0..<3 {
            world.answer(calls: 1)
            world.runTools()
        }
        guard case .failed(EchoError.toolExecutionFailed(let reason))? = world.ends.last else {
            Issue.record("\(world.ends)")
            return
        }
        #expect(reason.contains("calls 3 times") && reason.contains("limit is 2"))
        #expect(world.failures.isEmpty)
    }
}
