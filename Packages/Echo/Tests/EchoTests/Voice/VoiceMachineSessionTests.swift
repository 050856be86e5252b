// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

@Suite("What is asked for once, whatever the sessions do, decided by the machine")
struct VoiceMachineSessionTests {
    private let tool = ResponseTool.function(name: "look_up", description: nil, parameters: [:])

    private func sent(to session: Int, _ script: MachineScript) -> [ClientEvent.Detail] {
        script.actions.compactMap { if case .send(session, let event) = $0 { event.detail } else { nil } }
    }

    @Test func anAnswerThatABrokenSessionSwallowedIsAskedForAgain() {
        var script = MachineScript()
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(1))
        script.input(.opened(2))
        #expect(script.requests.count == 2)
        let replayed = script.actions.compactMap { action -> ClientEvent.Detail? in
            if case .send(2, let event) = action { event.detail } else { nil }
        }
        #expect(
            replayed.first == .itemCreate(.message(MessageItem(id: "u1", role: .user, text: "Hello")), at: .end))
        script.answerBegins("r2", item: "a2")
        script.answerGoesOn("r2", item: "a2", words: "Hi", sound: .milliseconds(100))
        script.answerEnds("r2", item: "a2", words: "Hi")
        script.pass(.seconds(1))
        #expect(script.heard.count == 4_800)
        #expect(script.requests.count == 2)
    }

    @Test func wordsThatComeAfterTheyWereTakenForNoiseAreAnsweredOnTheirOwn() {
        var script = MachineScript()
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Hi", sound: .seconds(3))
        script.answerEnds("r1", item: "a1", words: "Hi")
        script.speech("u2", nil)
        script.pass(.seconds(6))
        #expect(script.sent.contains(.itemDelete(id: "u2")))
        // Late, and while the answer to something else is on its way, which cannot have read it.
        script.input(.command(.say(1, id: "t1", text: "And you?")))
        script.server(.transcriptCompleted(RealtimeTranscript(itemID: "u2", text: "Wait")))
        script.answerBegins("r2", item: "a2")
        script.answerEnds("r2", item: "a2", words: "Fine")
        #expect(script.requests.count == 3)
    }

    @Test func whatWasWrittenIsAnsweredThoughTheServerAnswersSpeechByItself() {
        var detection = VADConfiguration()
        detection.createsResponse = true
        var script = MachineScript { $0.session.turnDetection = .automatic(detection) }
        script.input(.command(.say(1, id: "t1", text: "Hello")))
        script.server(.speechStarted(itemID: "u1", audioStart: 0))
        script.input(.command(.say(2, id: "t2", text: "And you?")))
        // Cut at once, since the user speaks.
        script.answerBegins("r1", item: "a1")
        script.answerEnds("r1", item: "a1", words: "", status: .cancelled)
        script.server(
            .speechStopped(itemID: "u1", audioEnd: 300), .inputAudioCommitted(itemID: "u1", at: .after("a1")))
        // The server began before it had what was written.
        script.server(.responseCreated(RealtimeResponse(id: "r2", conversationID: "c")))
        script.answerEnds("r2", item: "a2", words: "Hi")
        #expect(script.requests.count == 2)
    }

    @Test func whatIsSpokenWhileTextWaitsIsAnsweredThoughTheTextWasReadBefore() {
        var script = MachineScript { $0.session.turnDetection = .manual }
        script.input(.command(.say(1, id: "t1", text: "One")))
        script.input(.command(.say(2, id: "t2", text: "Two")))
        script.input(.command(.beginTurn))
        script.input(.captured(Array(repeating: 1, count: 24_000)))
        script.input(.command(.endTurn))
        for (id, text) in [("t1", "One"), ("t2", "Two")] {
            script.server(.itemAdded(.message(MessageItem(id: id, role: .user, text: text)), at: .end))
        }
        script.answerBegins("r1", item: "a1")
        script.answerEnds("r1", item: "a1", words: "Fine")
        #expect(script.requests.count == 2)
    }

    @Test func whatWasWrittenBeforeATurnThatWasTooShortIsAnswered() {
        var script = MachineScript { $0.session.turnDetection = .manual }
        script.input(.command(.say(1, id: "t1", text: "One")))
        script.input(.command(.say(2, id: "t2", text: "Two")))
        script.input(.command(.beginTurn))
        // Cut at once, since the user's turn has begun.
        script.answerBegins("r1", item: "a1")
        script.answerEnds("r1", item: "a1", words: "", status: .cancelled)
        script.input(.command(.endTurn))
        #expect(script.events.contains(.turnTooShort))
        #expect(script.requests.count == 2)
    }

    @Test func callsThatWereNeverMadeAreNotToldToTheNextSession() {
        var script = MachineScript()
        script.speech("u1", "Look it up")
        script.answerBegins("r1", item: "a1")
        let call = FunctionCallItem(id: "c1", callID: "call", name: "look_up", arguments: "{}", status: .completed)
        script.server(.outputItemDone(.functionCall(call), responseID: "r1", outputIndex: 1))
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(1))
        script.input(.opened(2))
        let calls = script.actions.compactMap { action -> ResponseItem? in
            if case .send(2, let event) = action, case .itemCreate(let item, _) = event.detail { item } else { nil }
        }.filter { if case .functionCall = $0 { true } else { false } }
        #expect(calls.isEmpty)
    }

    @Test func `tools that change while a session is opened reach it`() {
        var script = MachineScript()
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(1))
        #expect(script.actions.contains(.connect(2)))
        script.input(.command(.tools([tool])))
        script.input(.opened(2))
        #expect(sent(to: 2, script) == [.sessionUpdate(script.machine.session)])
        #expect(script.machine.session.tools == [tool])
    }

    @Test func `tools that change while a session waits reach it`() {
        var script = MachineScript()
        script.pass(.seconds(55 * 60))
        script.speech("u1", "Hello")
        script.input(.opened(2))
        script.input(.command(.tools([tool])))
        script.answerBegins("r1", item: "a1")
        script.answerEnds("r1", item: "a1", words: "Hi")
        #expect(script.machine.lifecycle.session == 2)
        #expect(sent(to: 2, script).first == .sessionUpdate(script.machine.session))
    }

    @Test(arguments: [false, true])
    func `a session that is replaced while a tool runs keeps the assistant's turn`(isAnsweredBefore: Bool) {
        var script = MachineScript()
        let result = ToolResult(callID: "call", output: "Noon")
        script.speech("u1", "Look it up")
        script.calls([FunctionCallItem(id: "c1", callID: "call", name: "look_up", arguments: "{}")], in: "r1")
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(1))
        if isAnsweredBefore { script.input(.toolAnswered(result)) }
        script.input(.opened(2))
        if !isAnsweredBefore { script.input(.toolAnswered(result)) }
        #expect(!script.events.contains(.turnEnded(.assistant)))
        #expect(script.requests.count == 2)
        script.answerBegins("r2", item: "a2")
        script.answerEnds("r2", item: "a2", words: "Noon.")
        #expect(script.events.count { $0 == .turnEnded(.assistant) } == 1)
    }

    @Test func `a server that answers by itself is not asked after a rate limit`() {
        var script = MachineScript {
            $0.session.turnDetection = .automatic(VADConfiguration(createsResponse: true))
            $0.requestLimits.requestsPerMinute = 1
        }
        for number in 1...2 {
            script.speech("u\(number)", "Hello")
            script.answerBegins("r\(number)", item: "a\(number)")
            script.answerEnds("r\(number)", item: "a\(number)", words: "Hi")
        }
        script.pass(.seconds(61))
        #expect(script.requests.isEmpty)
    }

    @Test func `a turn that ends while another engine is made is answered afterwards`() {
        var script = MachineScript {
            $0.session.turnDetection = .automatic(VADConfiguration(createsResponse: true))
        }
        script.server(.speechStarted(itemID: "u1", audioStart: 0))
        script.input(.command(.windUp(1, within: .milliseconds(800))))
        script.server(.inputAudioCommitted(itemID: "u1", at: .beginning))
        script.pass(.seconds(5))
        #expect(script.requests.isEmpty)
        script.input(.command(.goOn))
        #expect(script.requests.count == 1)
    }

    @Test func theNextSessionTakesItsPlaceBetweenTurns() {
        var script = MachineScript()
        script.pass(.seconds(55 * 60))
        #expect(script.actions.contains(.connect(2)))
        script.speech("u1", "Hello")
        script.input(.opened(2))
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Hi", sound: .milliseconds(500))
        script.answerEnds("r1", item: "a1", words: "Hi")
        #expect(script.machine.lifecycle.session == 1)
        script.pass(.seconds(1))
        #expect(script.machine.lifecycle.session == 2)
        #expect(script.actions.contains(.close(1)))
    }
}
