// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

/// The decisions about money, failures and the program's calls.
@Suite struct VoiceMachineDecisionTests {
    private let call = FunctionCallItem(
        id: "f1", callID: "call_1", name: "look_up", arguments: "{}", status: .completed)
    private let second = FunctionCallItem(
        id: "f2", callID: "call_2", name: "look_up", arguments: "{}", status: .completed)

    private func fallbacks(_ script: MachineScript) -> [VoiceFallback] {
        script.actions.compactMap { if case .fallBack(let reason) = $0 { reason } else { nil } }
    }

    private func done(_ script: MachineScript) -> [Int] {
        script.actions.compactMap { if case .done(let number, nil) = $0 { number } else { nil } }
    }

    private func failures(_ script: MachineScript) -> [VoiceFailure] {
        script.actions.compactMap { if case .done(_, let failure?) = $0 { failure } else { nil } }
    }

    /// The user asks, and the model requests calls that the program carries out.
    private func pending(_ calls: [FunctionCallItem]) -> MachineScript {
        var script = MachineScript { $0.runsTools = false }
        script.input(.command(.say(1, id: "t1", text: "Look it up")))
        script.calls(calls, in: "r1")
        return script
    }

    // MARK: The budget

    @Test func `a budget that is used up ends voice after the answer`() {
        var script = MachineScript { $0.voiceBudget = 1 }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Hi", sound: .milliseconds(300))
        script.answerEnds("r1", item: "a1", words: "Hi")
        script.input(.counted(Spending(total: 2, voice: 1.5)))
        #expect(fallbacks(script).isEmpty)
        script.pass(.seconds(1))
        #expect(fallbacks(script) == [.budget(spent: 1.5, limit: 1)])
        script.input(.counted(Spending(total: 3, voice: 2)))
        #expect(fallbacks(script).count == 1)
    }

    @Test func `the limit for text and voice together counts, too`() {
        var script = MachineScript()
        script.input(.counted(Spending(total: 2, voice: 0, limit: 3)))
        #expect(fallbacks(script).isEmpty)
        script.input(.counted(Spending(total: 3, voice: 0, limit: 3)))
        #expect(fallbacks(script) == [.budget(spent: 3, limit: 3)])
    }

    @Test func `while another engine is made the budget waits`() {
        var script = MachineScript { $0.voiceBudget = 1 }
        script.input(.command(.windUp(1, within: .milliseconds(800))))
        script.input(.counted(Spending(total: 2, voice: 2)))
        #expect(fallbacks(script).isEmpty)
        script.input(.command(.goOn))
        #expect(fallbacks(script) == [.budget(spent: 2, limit: 1)])
    }

    // MARK: Failures

    @Test func `a device that fails is reported, and followed by text`() {
        var script = MachineScript()
        script.input(.deviceFailed("unplugged"))
        #expect(
            script.actions.suffix(2) == [
                .report(.device("unplugged")), .fallBack(.failure(.device("unplugged"))),
            ])
    }

    @Test func `a refused session is followed by text, or held until the switch failed`() {
        for isHeld in [false, true] {
            var script = MachineScript()
            if isHeld { script.input(.command(.windUp(1, within: .milliseconds(800)))) }
            script.input(.failed(1, .refused("No credit.")))
            #expect(fallbacks(script).isEmpty == isHeld)
            script.input(.command(.goOn))
            #expect(fallbacks(script) == [.failure(.session(.refused("No credit.")))])
            script.input(.command(.say(2, id: "t1", text: "Hello?")))
            #expect(failures(script) == [.stopped])
        }
    }

    @Test func `a first session that is refused fails the start alone`() {
        var machine = VoiceMachine(configuration: VoiceMachine.Configuration())
        _ = machine.handle(.start, at: .zero)
        let actions = machine.handle(.failed(1, .refused("No key.")), at: .zero)
        #expect(actions.contains(.startFailed(.refused("No key."))))
        #expect(!actions.contains { if case .fallBack = $0 { true } else { false } })
    }

    @Test func `the first session starts the conversation, later ones do not`() {
        var script = MachineScript()
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.input(.opened(2))
        #expect(script.actions.count { $0 == .started } == 1)
    }

    // MARK: Calls that the program carries out

    @Test func `a message's command is done when the program has to act`() {
        var script = pending([call, second])
        #expect(done(script) == [1])
        #expect(script.machine.pendingCalls.map(\.id) == ["call_1", "call_2"])
        script.input(.command(.say(2, id: "t2", text: "Well?")))
        #expect(failures(script) == [.callsPending(["call_1", "call_2"])])
        script.input(.command(.submit(3, [ToolResult(callID: "call_9", output: "")])))
        #expect(failures(script).last == .notPending("call_9"))
    }

    @Test func `results are submitted in parts, and the last waits for the turn`() {
        var script = pending([call, second])
        script.input(.command(.submit(2, [ToolResult(callID: "call_1", output: "Noon")])))
        #expect(done(script) == [1, 2])
        script.input(.command(.submit(3, [ToolResult(callID: "call_2", output: "One")])))
        #expect(script.requests.count == 2)
        #expect(done(script) == [1, 2])
        script.answerBegins("r2", item: "a2")
        script.answerGoesOn("r2", item: "a2", words: "Noon.", sound: .milliseconds(100))
        script.answerEnds("r2", item: "a2", words: "Noon.")
        #expect(done(script) == [1, 2])
        script.pass(.seconds(1))
        #expect(done(script) == [1, 2, 3])
    }

    @Test func `a continuation that a rate limit refuses ends the turn`() {
        var script = MachineScript {
            $0.runsTools = false
            $0.requestLimits = RequestLimits(requestsPerMinute: 1, longestWait: .seconds(1))
        }
        script.input(.command(.say(1, id: "t1", text: "Look it up")))
        script.calls([call], in: "r1")
        script.input(.command(.submit(2, [ToolResult(callID: "call_1", output: "Noon")])))
        #expect(script.requests.count == 1)
        #expect(done(script) == [1] && failures(script) == [.rateLimited])
        #expect(script.events.filter { $0 == .turnEnded(.assistant) }.count == 1)
    }

    @Test func `an interruption gives each pending call a result, and nothing continues`() {
        var script = pending([call, second])
        script.input(.command(.interrupt(2)))
        #expect(script.machine.pendingCalls.isEmpty)
        #expect(done(script) == [1, 2])
        let results = script.sent.compactMap { event -> String? in
            guard case .itemCreate(.functionCallOutput(let output), _) = event else { return nil }
            return output.callID
        }
        #expect(results == ["call_1", "call_2"])
        #expect(script.requests.count == 1)
    }

    @Test func `the answer's text goes to its message's sender alone`() {
        var script = MachineScript()
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Hi", sound: .milliseconds(20))
        script.answerEnds("r1", item: "a1", words: "Hi")
        script.input(.command(.say(7, id: "t1", text: "And you?")))
        script.answerBegins("r2", item: "a2")
        script.answerGoesOn("r2", item: "a2", words: "Fine", sound: .milliseconds(20))
        #expect(script.actions.filter { if case .deliver = $0 { true } else { false } } == [.deliver(7, "Fine")])
    }

    // MARK: Interruptions before the answer

    @Test func `an interruption before the answer begins cancels it`() {
        var script = MachineScript()
        script.input(.command(.say(1, id: "t1", text: "Hello")))
        script.input(.command(.interrupt(2)))
        script.answerBegins("r1", item: "a1")
        #expect(script.sent.contains(.responseCancel(responseID: "r1")))
        script.answerGoesOn("r1", item: "a1", words: "Hi", sound: .milliseconds(100))
        #expect(done(script) == [2])
        script.answerEnds("r1", item: "a1", words: "Hi", status: .cancelled)
        script.pass(.seconds(1))
        #expect(done(script) == [2, 1])
        #expect(script.heard.isEmpty)
    }

    @Test func `an interruption ends the wait for a rate limit`() {
        var script = MachineScript { $0.requestLimits.requestsPerMinute = 1 }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerEnds("r1", item: "a1", words: "Hi")
        script.input(.command(.say(1, id: "t1", text: "And you?")))
        script.input(.command(.interrupt(2)))
        #expect(done(script).sorted() == [1, 2])
        script.pass(.seconds(61))
        #expect(script.requests.count == 1)
    }

    @Test func `an interruption cancels an answer that the server is about to begin`() {
        var script = MachineScript {
            $0.session.turnDetection = .automatic(VADConfiguration(createsResponse: true))
        }
        script.speech("u1", "Hello")
        script.input(.command(.interrupt(1)))
        script.answerBegins("r1", item: "a1")
        #expect(script.sent.contains(.responseCancel(responseID: "r1")))
        script.answerEnds("r1", item: "a1", words: "", status: .cancelled)
        script.pass(.seconds(5))
        #expect(script.requests.isEmpty)
        script.speech("u2", "And you?")
        script.answerBegins("r2", item: "a2")
        script.answerGoesOn("r2", item: "a2", words: "Fine", sound: .milliseconds(100))
        script.pass(.seconds(1))
        #expect(script.heard.count == 4_800)
    }

    @Test func `an answer that the server is about to begin when turns end is requested afterwards`() {
        var script = MachineScript {
            $0.session.turnDetection = .automatic(VADConfiguration(createsResponse: true))
        }
        script.speech("u1", "Hello")
        script.input(.command(.windUp(1, within: .milliseconds(800))))
        script.answerBegins("r1", item: "a1")
        #expect(script.sent.contains(.responseCancel(responseID: "r1")))
        script.answerEnds("r1", item: "a1", words: "", status: .cancelled)
        script.input(.command(.goOn))
        #expect(script.requests.count == 1)
    }

    /// - Parameter isLate: True if the server does not begin, and the gate requests the answer.
    @Test(arguments: [false, true])
    func `answers that the server begins count against the program's limit`(isLate: Bool) {
        var script = MachineScript {
            $0.session.turnDetection = .automatic(VADConfiguration(createsResponse: true))
            $0.requestLimits = RequestLimits(tokensPerMinute: 10_000)
        }
        for number in 1...2 {
            script.speech("u\(number)", "Hello")
            if isLate { script.pass(.seconds(4)) }
            script.answerBegins("r\(number)", item: "a\(number)")
            script.server(
                .responseDone(
                    RealtimeResponse(
                        id: "r\(number)", status: .completed, output: [], usage: Usage(inputTokens: 5_000),
                        conversationID: "c")))
        }
        script.input(.command(.say(1, id: "t1", text: "Hello?")))
        #expect(script.events.contains { if case .rateLimited = $0 { true } else { false } })
        #expect(script.requests.count == (isLate ? 2 : 0))
    }

    // MARK: The microphone, and turns that end

    @Test(arguments: [false, true])
    func `muting within speech sends the silence that ends it`(isSpeechReportedLater: Bool) {
        var script = MachineScript()
        if isSpeechReportedLater { script.input(.command(.mute(true))) }
        script.server(.speechStarted(itemID: "u1", audioStart: 0))
        if !isSpeechReportedLater { script.input(.command(.mute(true))) }
        #expect(script.sent == [.inputAudioAppend([UInt8](repeating: 0, count: 700 * 48))])
    }

    @Test func `a muted microphone is ignored, and shown as muted after an answer`() {
        var script = MachineScript()
        script.input(.command(.mute(true)))
        script.input(.captured([UInt8](repeating: 1, count: 960)))
        #expect(!script.sent.contains { if case .inputAudioAppend = $0 { true } else { false } })
        script.input(.command(.say(1, id: "t1", text: "Hello")))
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Hi", sound: .milliseconds(20))
        script.answerEnds("r1", item: "a1", words: "Hi")
        script.pass(.seconds(1))
        #expect(script.events.contains(.audioStatusChanged(.speaking)))
        #expect(
            script.events.last { if case .audioStatusChanged = $0 { true } else { false } }
                == .audioStatusChanged(.muted))
    }

    @Test func `an answer that the server begins while turns end is cut, and requested afterwards`() {
        var script = MachineScript()
        script.input(.command(.windUp(1, within: .milliseconds(800))))
        script.server(.responseCreated(RealtimeResponse(id: "r1", conversationID: "c")))
        #expect(script.sent.contains(.responseCancel(responseID: "r1")))
        script.answerEnds("r1", item: "a1", words: "", status: .cancelled)
        #expect(script.requests.isEmpty)
        script.input(.command(.goOn))
        #expect(script.requests.count == 1)
    }

    @Test func `the tools are listed at each turn of the user`() {
        var script = MachineScript()
        script.speech("u1", "Hello")
        script.input(.command(.say(1, id: "t1", text: "Hello")))
        #expect(script.actions.count { $0 == .listTools } == 2)
        script.input(.command(.tools([])))
        #expect(!script.sent.contains { if case .sessionUpdate = $0 { true } else { false } })
    }
}
