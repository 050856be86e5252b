// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

/// What the virtual world found, as short as it gets.
@Suite("What random conversations have found")
struct VoiceRegressionTests {
    @Test("What the server had when an answer began is answered with it, though another had asked for it")
    func oneAnswerForBoth() {
        var gate = ResponseGate()
        _ = gate.handle(.request(ResponseGate.Request(id: "typed", items: ["t"])), at: .zero)
        _ = gate.handle(.itemAdded(id: "spoken"), at: .zero)
        _ = gate.handle(.request(ResponseGate.Request(id: "said", items: ["spoken"])), at: .zero)
        let actions = gate.handle(.created(responseID: "r", requestID: "typed"), at: .zero)
        #expect(
            actions == [
                .answering(requestID: "typed", responseID: "r"), .answering(requestID: "said", responseID: "r"),
            ])
        #expect(gate.handle(.done(responseID: "r"), at: .zero).isEmpty)
    }

    @Test("What the server had not when an answer began, is asked for after it")
    func anAnswerEach() {
        var gate = ResponseGate()
        _ = gate.handle(.request(ResponseGate.Request(id: "first", items: ["a"])), at: .zero)
        _ = gate.handle(.request(ResponseGate.Request(id: "second", items: ["b"])), at: .zero)
        _ = gate.handle(.created(responseID: "r", requestID: "first"), at: .zero)
        _ = gate.handle(.itemAdded(id: "b"), at: .zero)
        let actions = gate.handle(.done(responseID: "r"), at: .zero)
        #expect(actions == [.create(ResponseGate.Request(id: "second", items: ["b"]))])
    }

    @Test("Speech that waits for its transcript is not overtaken by what follows a typed message")
    func order() {
        var messages = WorldMessages()
        func insert(_ id: String, _ place: MessagePlace, _ status: TranscriptStatus) {
            messages.apply(.insert(id: id, role: .user, text: id, status: status, at: place))
        }
        insert("typed 1", .end, .notApplicable)
        insert("typed 2", .end, .notApplicable)
        // The server had it before the second.
        insert("spoken 1", .after("typed 1"), .notStarted)
        insert("spoken 2", .after("typed 2"), .notStarted)
        insert("spoken 3", .after("spoken 2"), .notStarted)
        #expect(messages.all.map(\.id) == ["typed 1", "typed 2", "spoken 1", "spoken 2", "spoken 3"])
    }

    @Test("What is said while nothing gets through is said again to the next session")
    func speechIntoADeadLine() {
        var session = RecordedSession(mode: .automatic(VADConfiguration()))
        let said = [UInt8](repeating: 1, count: 48_000)
        session.send(.inputAudioAppend(said))
        for _ in 0..<8 { session.send(.inputAudioAppend([UInt8](repeating: 0, count: 48_000))) }
        guard case .inputAudioAppend(let sound)? = session.replay().first else {
            Issue.record("nothing is said again")
            return
        }
        #expect(sound.prefix(48_000).elementsEqual(said))
    }

    @Test("What was heard and had no words is not repeated to the next session")
    func noWords() {
        var session = RecordedSession(mode: .automatic(VADConfiguration()))
        session.receive(.inputAudioCommitted(itemID: "cough", at: .beginning))
        session.receive(.transcriptCompleted(RealtimeTranscript(itemID: "cough", text: "")))
        #expect(session.replay().isEmpty)
    }

    @Test("A turn that is committed twice takes neither what is said after it nor the sound of the next turn")
    func committedTwice() {
        var session = RecordedSession(mode: .automatic(VADConfiguration()))
        session.send(.inputAudioAppend([1, 2, 3, 4]))
        session.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        session.send(.inputAudioAppend([5, 6]))
        session.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        #expect(session.replay() == [speech("u", [1, 2, 3, 4]), .inputAudioAppend([5, 6])])

        session = RecordedSession(mode: .manual)
        session.send(.inputAudioAppend([1, 2, 3, 4]))
        session.send(.inputAudioCommit)
        session.send(.inputAudioAppend([5, 6]))
        session.send(.inputAudioCommit)
        session.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        session.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        session.receive(.inputAudioCommitted(itemID: "v", at: .after("u")))
        #expect(session.replay() == [speech("u", [1, 2, 3, 4]), speech("v", [5, 6])])
    }

    private func speech(_ id: String, _ sound: [UInt8]) -> ClientEvent.Detail {
        .itemCreate(
            .message(MessageItem(id: id, role: .user, content: [.inputAudio(sound, transcript: nil)])), at: .end)
    }

    @Test("Two conversations in which a turn was committed twice", arguments: [51_539_607_642, 73_014_444_141])
    func committedTwice(seed: UInt64) {
        let world = VoiceScheduleTests.world(seed: seed)
        #expect(world.failures.isEmpty, "\(world.failures)")
    }

    @Test("A voice that the device hears as an answer ends does not hold up the next answer")
    func heldForEver() {
        var script = MachineScript()
        script.speech("u1", "Tell me.")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Yes.", sound: .milliseconds(200))
        script.answerEnds("r1", item: "a1", words: "Yes.")
        script.pass(.milliseconds(180))
        script.input(.voice(true))
        // The device had played the rest before it was silent.
        script.pass(.milliseconds(100))
        script.speech("u2", "And now?")
        script.answerBegins("r2", item: "a2")
        script.answerGoesOn("r2", item: "a2", words: "No.", sound: .milliseconds(200))
        script.answerEnds("r2", item: "a2", words: "No.")
        script.pass(.seconds(2))
        #expect(!script.machine.playback.isActive)
        #expect(script.operations.contains(.complete(id: "a2", text: "No.", isInterrupted: false)))
    }

    @Test func `a cut answer whose rest is on its way is cut at the server`() {
        var script = MachineScript()
        script.speech("u1", "Tell me.")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "One two", sound: .milliseconds(200))
        // All that has come was heard, and the server may have sent the rest.
        script.pass(.seconds(1))
        script.input(.command(.interrupt(1)))
        script.pass(.seconds(1))
        #expect(script.sent.contains(.itemTruncate(id: "a1", contentIndex: 0, audioEnd: 200)))
        #expect(script.operations.contains(.complete(id: "a1", text: "One two", isInterrupted: true)))
    }

    @Test func `an answer that was heard before it ends leaves no sound behind`() {
        var script = MachineScript()
        script.speech("u1", "Tell me.")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "Yes.", sound: .milliseconds(200))
        let message = ResponseItem.message(
            MessageItem(
                id: "a1", role: .assistant, content: [.outputAudio(nil, transcript: "Yes.")], status: .completed))
        script.server(.outputItemDone(message, responseID: "r1", outputIndex: 0))
        script.pass(.seconds(1))
        #expect(script.operations.contains(.complete(id: "a1", text: "Yes.", isInterrupted: false)))
        script.server(.responseDone(RealtimeResponse(id: "r1", status: .completed, conversationID: "c")))
        #expect(!script.machine.playback.knows("a1"))
    }

    @Test("An answer that is cut when it is whole, but not heard, is told of once")
    func cutOnce() {
        var script = MachineScript()
        script.speech("u1", "Tell me.")
        script.answerBegins("r1", item: "a1")
        script.answerGoesOn("r1", item: "a1", words: "One two three four five six.", sound: .seconds(3))
        let message = ResponseItem.message(
            MessageItem(
                id: "a1", role: .assistant,
                content: [.outputAudio(nil, transcript: "One two three four five six.")], status: .completed))
        script.server(.outputItemDone(message, responseID: "r1", outputIndex: 0))
        script.pass(.seconds(1))
        script.input(.command(.interrupt(1)))
        script.pass(.seconds(5))
        let ends = script.operations.filter { if case .complete("a1", _, _) = $0 { true } else { false } }
        #expect(ends == [.complete(id: "a1", text: "One two", isInterrupted: true)])
    }
}
