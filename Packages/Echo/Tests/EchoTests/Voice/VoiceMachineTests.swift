// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

@Suite struct VoiceMachineTests {
    @Test func aSpokenQuestionIsAnsweredOnceAndHeardToTheEnd() {
        var script = MachineScript()
        script.speech("u1", "What is the capital of Texas?")
        #expect(script.requests.count == 1)
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Austin, I think.", sound: .seconds(2))
        script.answerEnds("r1", item: "a1", words: "Austin, I think.")
        #expect(!script.operations.contains { if case .complete("a1", _, _) = $0 { true } else { false } })
        script.pass(.seconds(3))
        #expect(script.heard.count == 2 * 48_000)
        #expect(
            script.operations.contains(.complete(id: "u1", text: "What is the capital of Texas?", isInterrupted: false))
        )
        #expect(script.operations.contains(.complete(id: "a1", text: "Austin, I think.", isInterrupted: false)))
        #expect(script.notices.filter { $0 == .assistantStartedSpeaking }.count == 1)
        #expect(script.notices.last { if case .turnEnded = $0 { true } else { false } } == .turnEnded(.assistant))
        #expect(!script.machine.isBusy)
    }

    @Test func theDeviceGetsAShortLeadOnly() {
        var script = MachineScript()
        script.speech("u1", "hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Hello.", sound: .seconds(20))
        #expect(script.waiting.count == 12_000)
        script.pass(.seconds(1))
        #expect(script.waiting.count <= 12_000)
    }

    @Test func speechOverAnAnswerCutsItToWhatWasHeard() {
        var script = MachineScript()
        script.speech("u1", "Tell me a story")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "one two three four five", sound: .seconds(10))
        script.pass(.milliseconds(2_000))
        script.server(.speechStarted(itemID: "u2", audioStart: 3_000))
        #expect(script.waiting.isEmpty)
        script.server(.transcriptDelta(itemID: "u2", contentIndex: 0, delta: "Stop", logprobs: []))
        #expect(script.sent.contains(.responseCancel(responseID: "r1")))
        #expect(script.sent.contains(.itemTruncate(id: "a1", contentIndex: 0, audioEnd: 2_000)))
        #expect(script.operations.contains(.complete(id: "a1", text: "one", isInterrupted: true)))
        let heard = script.heard.count
        script.answerGoesOn("r1", item: "a1", words: " six", sound: .seconds(1), from: 240_000)
        script.answerEnds("r1", item: "a1", words: "one two three four five six", status: .cancelled)
        script.pass(.seconds(1))
        #expect(script.heard.count == heard)
        let texts = script.machine.history.items.compactMap { item -> String? in
            if case .message(let message) = item { message.text } else { nil }
        }
        #expect(texts == ["Tell me a story", "one"])
    }

    @Test func aCoughLetsTheAnswerGoOnAtTheSameSample() {
        var script = MachineScript()
        script.speech("u1", "Tell me a story")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "one two", sound: .seconds(2))
        script.answerEnds("r1", item: "a1", words: "one two")
        script.pass(.milliseconds(700))
        script.speech("cough", nil)
        let heard = script.heard.count
        script.pass(.seconds(1))
        #expect(script.heard.count == heard)
        script.pass(.seconds(5))
        #expect(script.heard.count == 96_000)
        #expect((0..<48_000).allSatisfy { script.heard[2 * $0] == UInt8($0 & 0xFF) })
        #expect(script.sent.contains(.itemDelete(id: "cough")))
        #expect(script.notices.contains(.interruptionWasFalse))
        #expect(script.requests.count == 1)
    }

    @Test func anAnswerOfWhichNothingWasHeardGoes() {
        var script = MachineScript()
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Well", sound: .milliseconds(500))
        script.input(.command(.interrupt(7)))
        #expect(script.sent.contains(.itemDelete(id: "a1")))
        #expect(script.operations.contains(.remove(id: "a1")))
        #expect(script.actions.contains(.done(7, nil)))
        #expect(!script.sent.contains { if case .itemTruncate = $0 { true } else { false } })
    }

    @Test func whatIsWrittenIsAnsweredAndTheCommandEndsWithTheTurn() {
        var script = MachineScript()
        script.input(.command(.say(3, id: "m1", text: "Hi")))
        #expect(script.operations.first == .insert(id: "m1", role: .user, text: "Hi", status: .notApplicable, at: .end))
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Hello", sound: .milliseconds(400))
        script.answerEnds("r1", item: "a1", words: "Hello")
        #expect(!script.actions.contains(.done(3, nil)))
        script.pass(.seconds(1))
        #expect(script.actions.contains(.done(3, nil)))
    }

    @Test func aToolIsCalledFilledAndItsResultAnswered() {
        var script = MachineScript { $0.filler = VoiceConfiguration.Filler() }
        script.speech("u1", "Weather?")
        script.server(
            .responseCreated(RealtimeResponse(id: "r1", conversationID: "c", metadata: script.requests[0].metadata)))
        let call = RealtimeItem.functionCall(FunctionCallItem(id: "f1", callID: "k1", name: "weather", arguments: "{}"))
        script.server(
            .itemAdded(call, at: .after("u1")),
            .responseDone(RealtimeResponse(id: "r1", status: .completed, output: [call], conversationID: "c")))
        #expect(script.actions.contains(.call(ToolCall(id: "k1", name: "weather", arguments: "{}"))))
        script.pass(.seconds(2))
        #expect(script.requests.count == 2)
        #expect(script.requests.last?.isInConversation == false)
        script.input(.toolAnswered(ToolResult(callID: "k1", output: "sunny")))
        #expect(script.requests.count == 3)
        script.answerBegins("r3", item: "a1")
        script.answerGoesOn("r3", item: "a1", words: "Sunny.", sound: .milliseconds(300))
        script.answerEnds("r3", item: "a1", words: "Sunny.")
        script.pass(.seconds(1))
        #expect(script.notices.filter { $0 == .turnEnded(.assistant) }.count == 1)
        #expect(script.operations.contains(.complete(id: "a1", text: "Sunny.", isInterrupted: false)))
    }

    @Test func theGuardrailHoldsBackUntilAllWordsHavePassed() {
        var script = MachineScript { $0.hasGuardrail = true }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Fine. And you", sound: .milliseconds(500))
        script.answerEnds("r1", item: "a1", words: "Fine. And you")
        script.pass(.seconds(1))
        #expect(script.heard.isEmpty)
        #expect(!script.notices.contains { if case .assistantText = $0 { true } else { false } })
        #expect(script.actions.contains(.judge(id: 1, text: "Fine.")))
        #expect(script.actions.contains(.judge(id: 2, text: "Fine. And you")))
        script.input(.judged(id: 2, isAllowed: true))
        #expect(script.waiting.isEmpty)
        script.input(.judged(id: 1, isAllowed: true))
        script.pass(.seconds(1))
        #expect(script.heard.count == 24_000)
        #expect(script.operations.contains(.complete(id: "a1", text: "Fine. And you", isInterrupted: false)))
        #expect(!script.machine.isBusy)
    }

    @Test func whatTheGuardrailBlocksIsNeverHeard() {
        var script = MachineScript {
            $0.hasGuardrail = true
            $0.replacement = "I cannot say that."
        }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Bad. words", sound: .milliseconds(500))
        script.input(.judged(id: 1, isAllowed: false))
        script.answerEnds("r1", item: "a1", words: "Bad. words", status: .cancelled)
        script.pass(.seconds(1))
        #expect(script.heard.isEmpty)
        #expect(script.notices.contains(.answerBlocked(itemID: "a1")))
        #expect(script.operations.contains(.remove(id: "a1")))
        #expect(script.requests.last?.instructions?.contains("I cannot say that.") == true)
    }

    @Test func whatWasWrittenBeforeAnAnswerWasBlockedIsAnsweredAfterTheReplacement() {
        var script = MachineScript {
            $0.hasGuardrail = true
            $0.replacement = "I cannot say that."
        }
        script.speech("u1", "Hello")
        // While the first request is on its way.
        script.input(.command(.say(1, id: "t1", text: "And you?")))
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Bad. words", sound: .milliseconds(500))
        script.input(.judged(id: 1, isAllowed: false))
        #expect(script.sent.contains(.responseCancel(responseID: "r1")))
        script.answerEnds("r1", item: "a1", words: "Bad. words", status: .cancelled)
        #expect(script.requests.last?.instructions?.contains("I cannot say that.") == true)
        script.server(.itemAdded(.message(RealtimeMessage(id: "t1", role: .user, text: "And you?")), at: .after("a1")))
        script.answerBegins("r2", item: "a2")
        script.answerEnds("r2", item: "a2", words: "I cannot say that.")
        #expect(script.requests.last?.instructions == nil)
        script.answerBegins("r3", item: "a3")
        script.answerGoesOn("r3", item: "a3", words: "Fine", sound: .milliseconds(100))
        #expect(!script.actions.contains(.done(1, nil)))
        script.answerEnds("r3", item: "a3", words: "Fine")
        for id in 2...3 { script.input(.judged(id: id, isAllowed: true)) }
        script.pass(.seconds(1))
        #expect(script.requests.count == 3)
        #expect(script.heard.count == 4_800)
        #expect(script.actions.contains(.done(1, nil)))
        #expect(!script.machine.isBusy)
    }

    @Test func whatTheUserSaidOverABlockedAnswerIsAnsweredInsteadOfTheReplacement() {
        var script = MachineScript {
            $0.hasGuardrail = true
            $0.replacement = "I cannot say that."
        }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Bad. words", sound: .milliseconds(500))
        script.server(
            .speechStarted(itemID: "u2", audioStart: 0), .speechStopped(itemID: "u2", audioEnd: 300),
            .inputAudioCommitted(itemID: "u2", at: .after("a1")))
        script.input(.judged(id: 1, isAllowed: false))
        script.server(.transcriptCompleted(RealtimeTranscript(itemID: "u2", text: "And you?")))
        script.answerEnds("r1", item: "a1", words: "Bad. words", status: .cancelled)
        #expect(script.requests.count == 2)
        #expect(script.requests.last?.instructions == nil)
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
            replayed.first == .itemCreate(.message(RealtimeMessage(id: "u1", role: .user, text: "Hello")), at: .end))
        script.answerBegins("r2", item: "a2")
        script.answerGoesOn("r2", item: "a2", words: "Hi", sound: .milliseconds(100))
        script.answerEnds("r2", item: "a2", words: "Hi")
        script.pass(.seconds(1))
        #expect(script.heard.count == 4_800)
        #expect(script.requests.count == 2)
    }

    @Test func aReplacementThatABrokenSessionSwallowedIsSaidInTheNext() {
        var script = MachineScript {
            $0.hasGuardrail = true
            $0.replacement = "I cannot say that."
        }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Bad. words", sound: .milliseconds(500))
        script.input(.judged(id: 1, isAllowed: false))
        script.answerEnds("r1", item: "a1", words: "Bad. words", status: .cancelled)
        script.answerBegins("r2", item: "a2")
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(1))
        script.input(.opened(2))
        #expect(script.requests.count == 3)
        #expect(script.requests.last?.instructions == script.requests[1].instructions)
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

    @Test func whatWasBlockedIsNotToldToTheNextSession() {
        var script = MachineScript { $0.hasGuardrail = true }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Bad. words", sound: .milliseconds(500))
        script.input(.judged(id: 1, isAllowed: false))
        script.server(.itemDeleted(id: "a1"))
        // It had said that before it heard of the deletion, or says so all the same.
        script.answerEnds("r1", item: "a1", words: "Bad. words", status: .cancelled)
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(1))
        script.input(.opened(2))
        let replayed = script.actions.compactMap { action -> String? in
            if case .send(2, let event) = action, case .itemCreate(let item, _) = event.detail { item.id } else { nil }
        }
        #expect(replayed == ["u1"])
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

    @Test func windingUpCutsAndWaitsForTranscripts() {
        var script = MachineScript()
        script.speech("u1", nil)
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "one two three", sound: .seconds(3))
        script.pass(.milliseconds(1_500))
        script.input(.command(.windUp(9, within: .milliseconds(800))))
        #expect(!script.actions.contains(.done(9, nil)))
        #expect(script.operations.contains(.complete(id: "a1", text: "one", isInterrupted: true)))
        script.server(.transcriptCompleted(RealtimeTranscript(itemID: "u1", text: "Count")))
        #expect(script.actions.contains(.done(9, nil)))
    }

    @Test func aProgramThatOnlyEndsTurnsHasTheMicrophoneOpen() {
        var script = MachineScript { $0.session.turnDetection = .manual }
        for _ in 0..<10 { script.input(.captured([UInt8](repeating: 1, count: 960))) }
        script.input(.command(.endTurn))
        #expect(script.sent.filter { $0 == .inputAudioCommit }.count == 1)
        #expect(script.requests.count == 1)
    }

    @Test func aButtonOpensTheMicrophone() {
        var script = MachineScript { $0.session.turnDetection = .manual }
        script.input(.command(.beginTurn))
        script.input(.captured([UInt8](repeating: 1, count: 9_600)))
        script.input(.command(.endTurn))
        let count = script.sent.count
        script.input(.captured([UInt8](repeating: 1, count: 9_600)))
        #expect(script.sent.count == count)
        #expect(script.requests.count == 1)
    }

    @Test func theDevicesOwnEarPausesAndIsNotBelievedForLong() {
        var script = MachineScript()
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Hi there", sound: .seconds(1))
        script.answerEnds("r1", item: "a1", words: "Hi there")
        script.pass(.milliseconds(200))
        script.input(.voice(true))
        #expect(script.waiting.isEmpty)
        let heard = script.heard.count
        script.pass(.milliseconds(700))
        #expect(script.heard.count == heard)
        script.pass(.seconds(2))
        #expect(script.heard.count == 48_000)
    }
}
