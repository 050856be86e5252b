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
        #expect(script.events.filter { $0 == .assistantStartedSpeaking }.count == 1)
        #expect(script.events.last { if case .turnEnded = $0 { true } else { false } } == .turnEnded(.assistant))
        #expect(!script.machine.isBusy)
    }

    @Test func theDeviceGetsAShortLeadOnly() {
        var script = MachineScript()
        script.speech("u1", "hello")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Hello.", sound: .seconds(20))
        #expect(script.waiting.count == 12_000)
        #expect(script.sound.count == 20 * 48_000)
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
        let texts = script.machine.transcript.items.compactMap { item -> String? in
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
        // The sound that is played again after the pause is not emitted again.
        #expect(script.sound == script.heard)
        #expect(script.sent.contains(.itemDelete(id: "cough")))
        #expect(script.events.contains(.interruptionWasFalse))
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
        let call = ResponseItem.functionCall(FunctionCallItem(id: "f1", callID: "k1", name: "weather", arguments: "{}"))
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
        #expect(script.events.filter { $0 == .turnEnded(.assistant) }.count == 1)
        #expect(script.operations.contains(.complete(id: "a1", text: "Sunny.", isInterrupted: false)))
    }

    @Test func beyondTheLimitOfCallsTheModelIsAskedForWordsAndThenTheTurnEnds() {
        var script = MachineScript { $0.maximumRounds = 0 }
        func calls(_ number: Int) {
            let request = script.requests.last
            script.server(
                .responseCreated(
                    RealtimeResponse(id: "r\(number)", conversationID: "c", metadata: request?.metadata ?? [:])))
            let item = FunctionCallItem(id: "f\(number)", callID: "k\(number)", name: "weather", arguments: "{}")
            script.server(
                .responseDone(
                    RealtimeResponse(
                        id: "r\(number)", status: .completed, output: [.functionCall(item)], conversationID: "c")))
        }
        func ends() -> Int { script.events.filter { $0 == .turnEnded(.assistant) }.count }
        script.speech("u1", "Weather?")
        calls(1)
        #expect(script.requests.map(\.toolChoice) == [nil, ToolChoice.none])
        #expect(ends() == 0)
        calls(2)
        #expect(script.requests.count == 2)
        #expect(ends() == 1)
        #expect(script.actions.contains(.report(.tooManyCalls(rounds: 2, limit: 0))))
        #expect(!script.actions.contains { if case .call = $0 { true } else { false } })
        script.speech("u2", "And now?")
        #expect(script.requests.last?.toolChoice == nil)
        #expect(script.requests.count == 3)
    }

    @Test func anInterruptionEndsTheFillerToo() {
        var script = MachineScript { $0.filler = VoiceConfiguration.Filler() }
        script.speech("u1", "Look it up")
        script.answerBegins("r1", item: "a1")
        let call = FunctionCallItem(id: "c1", callID: "call", name: "look_up", arguments: "{}", status: .completed)
        script.server(
            .responseDone(
                RealtimeResponse(id: "r1", status: .completed, output: [.functionCall(call)], conversationID: "c")))
        script.pass(.seconds(3))
        let metadata = script.requests.last?.metadata ?? [:]
        script.server(.responseCreated(RealtimeResponse(id: "f1", conversationID: nil, metadata: metadata)))
        script.answerGoesOn("f1", item: "fa", words: "", sound: .milliseconds(100))
        #expect(script.sound.count == 4_800)
        script.pass(.milliseconds(40))
        let heard = script.heard.count
        #expect(heard > 0)
        script.input(.command(.say(1, id: "t1", text: "And that")))
        script.answerBegins("r2", item: "a2")
        script.server(
            .responseDone(
                RealtimeResponse(id: "r2", status: .completed, output: [.functionCall(call)], conversationID: "c")))
        script.answerGoesOn("f1", item: "fa", words: "", sound: .milliseconds(100))
        script.pass(.seconds(1))
        #expect(script.heard.count == heard)
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
