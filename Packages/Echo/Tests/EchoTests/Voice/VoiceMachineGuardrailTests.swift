// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

@Suite("What a guardrail holds back and blocks, decided by the machine")
struct VoiceMachineGuardrailTests {
    @Test func theGuardrailHoldsBackUntilAllWordsHavePassed() {
        var script = MachineScript { $0.hasGuardrail = true }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Fine. And you", sound: .milliseconds(500))
        script.answerEnds("r1", item: "a1", words: "Fine. And you")
        script.pass(.seconds(1))
        #expect(script.heard.isEmpty)
        #expect(!script.events.contains { if case .assistantTextDelta = $0 { true } else { false } })
        #expect(script.actions.contains(.judge(id: 1, text: "Fine.")))
        #expect(script.actions.contains(.judge(id: 2, text: "Fine. And you")))
        script.input(.judged(id: 2, isAllowed: true))
        #expect(script.waiting.isEmpty && script.sound.isEmpty)
        script.input(.judged(id: 1, isAllowed: true))
        #expect(script.sound.count == 24_000)
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
        #expect(script.heard.isEmpty && script.sound.isEmpty)
        #expect(script.events.contains(.answerBlocked(itemID: "a1")))
        #expect(script.operations.contains(.remove(id: "a1")))
        #expect(script.requests.last?.instructions?.contains("I cannot say that.") == true)
    }

    @Test func `a replacement that is blocked, too, is not replaced`() {
        var script = MachineScript {
            $0.hasGuardrail = true
            $0.replacement = "I cannot say that."
        }
        func block(_ number: Int) {
            let (answer, item) = ("r\(number)", "a\(number)")
            script.answerBegins(answer, item: item)
            script.answerGoesOn(answer, item: item, words: "Bad. words", sound: .milliseconds(500))
            script.input(.judged(id: number, isAllowed: false))
            script.answerEnds(answer, item: item, words: "Bad. words", status: .cancelled)
        }
        script.speech("u1", "Hello")
        block(1)
        block(2)
        #expect(script.requests.count == 2)
        #expect(!script.machine.isBusy)
        script.speech("u2", "And you?")
        block(3)
        #expect(script.requests.count == 4)
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
        script.server(.itemAdded(.message(MessageItem(id: "t1", role: .user, text: "And you?")), at: .after("a1")))
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

    @Test(arguments: [false, true])
    func whatWasCutBeforeItBeganIsNeitherAMessageNorToldToTheNextSession(isKnown: Bool) {
        var script = MachineScript { $0.hasGuardrail = true }
        script.speech("u1", "Hello")
        let metadata = script.requests.last?.metadata ?? [:]
        script.server(.responseCreated(RealtimeResponse(id: "r1", conversationID: "c", metadata: metadata)))
        let item = ResponseItem.message(MessageItem(id: "a1", role: .assistant, content: [], status: .inProgress))
        let added = ServerEvent.Detail.outputItemAdded(item, responseID: "r1", outputIndex: 0)
        if isKnown { script.server(added) }
        script.input(.command(.interrupt(1)))
        if !isKnown { script.server(added) }
        script.server(.itemAdded(item, at: .after("u1")))
        script.answerGoesOn("r1", item: "a1", words: "Bad. words", sound: .milliseconds(500))
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(1))
        script.input(.opened(2))
        let replayed = script.actions.compactMap { action -> String? in
            if case .send(2, let event) = action, case .itemCreate(let item, _) = event.detail { item.id } else { nil }
        }
        #expect(replayed == ["u1"])
        #expect(script.operations.contains(.remove(id: "a1")))
        #expect(!script.operations.contains { if case .append("a1", _) = $0 { true } else { false } })
    }

    @Test func whatIsHeldBackWhileTheSessionIsReplacedIsNotHeardAfterTheUserHasSpoken() {
        var script = MachineScript { $0.hasGuardrail = true }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Fine", sound: .milliseconds(500))
        script.answerEnds("r1", item: "a1", words: "Fine")
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(1))
        script.input(.opened(2))
        script.speech("u2", "And you?")
        script.input(.judged(id: 1, isAllowed: true))
        script.pass(.seconds(1))
        #expect(script.heard.isEmpty)
        #expect(script.operations.contains(.remove(id: "a1")))
    }

    @Test func whatWasHeldBackWhenTheSessionBrokeIsAskedForAgain() {
        var script = MachineScript { $0.hasGuardrail = true }
        script.speech("u1", "Hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Fine. And", sound: .milliseconds(500))
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(1))
        script.input(.opened(2))
        #expect(script.requests.count == 2)
        #expect(script.heard.isEmpty)
    }
}
