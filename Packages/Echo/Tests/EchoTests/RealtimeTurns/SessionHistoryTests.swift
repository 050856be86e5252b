// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

@Suite("What another session has to be told")
struct SessionHistoryTests {
    private func spoken(_ id: String) -> ServerEvent.Detail {
        .itemAdded(
            .message(MessageItem(id: id, role: .user, content: [.inputAudio(nil, transcript: nil)])), at: .end)
    }

    @Test("Words, answers, calls and their results, in order, under their ids")
    func items() {
        var session = RecordedSession(mode: .manual)
        session.send(.inputAudioAppend([1, 2]))
        session.send(.inputAudioCommit)
        session.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        session.receive(spoken("u"))
        let call = FunctionCallItem(id: "c", callID: "x", name: "weather", arguments: "{}")
        session.receive(
            .itemAdded(
                .functionCall(FunctionCallItem(id: "c", callID: "x", name: "weather", arguments: "")), at: .after("u")))
        session.receive(.itemDone(.functionCall(call), at: .after("u")))
        let output = ResponseItem.functionCallOutput(
            FunctionCallOutputItem(id: "o", callID: "x", output: .text("Sun.")))
        session.send(.itemCreate(output, at: .end))
        session.receive(.itemAdded(.message(MessageItem(id: "a", role: .assistant, content: [])), at: .after("o")))
        session.receive(.audioTranscriptDelta(AnswerPlace(responseID: "r", itemID: "a"), delta: "It is su"))
        session.receive(.transcriptCompleted(RealtimeTranscript(itemID: "u", text: "Weather?")))
        let events = session.replay()
        #expect(
            events == [
                .itemCreate(.message(MessageItem(id: "u", role: .user, text: "Weather?")), at: .end),
                .itemCreate(.functionCall(call), at: .end), .itemCreate(output, at: .end),
                .itemCreate(.message(MessageItem(id: "a", role: .assistant, text: "It is su")), at: .end),
            ])
    }

    @Test("What was said and not transcribed goes as sound, and what was deleted not at all")
    func sound() {
        var session = RecordedSession(mode: .manual)
        session.send(.inputAudioAppend([1, 2, 3, 4]))
        session.send(.inputAudioCommit)
        session.send(.inputAudioAppend([5, 6]))
        session.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        session.send(.itemCreate(.message(MessageItem(id: "t", role: .user, text: "Hm")), at: .end))
        session.receive(.itemDeleted(id: "t"))
        let message = MessageItem(id: "u", role: .user, content: [.inputAudio([1, 2, 3, 4], transcript: nil)])
        #expect(session.replay() == [.itemCreate(.message(message), at: .end), .inputAudioAppend([5, 6])])
    }

    @Test("What follows something that was deleted stays where it is, also if it comes later")
    func placesOfTheDeleted() {
        func said(_ id: String, _ text: String) -> ResponseItem {
            .message(MessageItem(id: id, role: .user, text: text))
        }
        var session = RecordedSession(mode: .manual)
        session.send(.itemCreate(said("a", "One"), at: .end))
        session.receive(.itemAdded(.message(MessageItem(id: "b", role: .assistant, text: "No")), at: .after("a")))
        session.send(.itemDelete(id: "b"))
        session.send(.itemCreate(said("d", "Three"), at: .end))
        session.receive(.itemAdded(said("c", "Two"), at: .after("b")))
        session.receive(
            .outputItemDone(
                .message(MessageItem(id: "b", role: .assistant, text: "No")), responseID: "r", outputIndex: 0))
        #expect(
            session.replay()
                == ["a", "c", "d"].map { id in
                    .itemCreate(said(id, id == "a" ? "One" : id == "c" ? "Two" : "Three"), at: .end)
                })
        // The next session has no such item.
        session.receive(.itemAdded(said("e", "Four"), at: .after("d")))
        #expect(session.history.items(of: session.transcript).compactMap(\.id) == ["a", "c", "d", "e"])
    }

    @Test("A turn that was committed without an answer is committed again, and what was said after it stays after it")
    func commit() {
        var session = RecordedSession(mode: .manual)
        session.send(.inputAudioAppend([1, 2]))
        session.send(.inputAudioCommit)
        session.send(.inputAudioAppend([3, 4]))
        let expected: [ClientEvent.Detail] = [
            .inputAudioAppend([1, 2]), .inputAudioCommit, .inputAudioAppend([3, 4]),
        ]
        #expect(session.replay() == expected)
        #expect(session.replay() == expected)
        session.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        #expect(session.history.pending == [3, 4])
    }

    @Test("With a detector, silence is forgotten but for its last 45 seconds, and speech is cut where it ended")
    func detector() {
        var session = RecordedSession(mode: .automatic(VADConfiguration()))
        let second = [UInt8](repeating: 0, count: 48_000)
        for _ in 0..<47 { session.send(.inputAudioAppend(second)) }
        #expect(session.history.pending.count == SessionHistory.silentSeconds * 48_000)
        session.receive(.speechStarted(itemID: "u", audioStart: 46_700))
        for _ in 0..<5 { session.send(.inputAudioAppend(second)) }
        #expect(session.history.pending.count == 50 * 48_000)
        session.receive(.speechStopped(itemID: "u", audioEnd: 51_500))
        session.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        #expect(session.history.pending.count == 24_000)
        guard case .itemCreate(.message(let message), _)? = session.replay().first,
            case .inputAudio(let audio?, _)? = message.content.first
        else {
            Issue.record("no speech")
            return
        }
        #expect(audio.count == 4 * 48_000 + 38_400)
    }

    @Test func `of speech without transcripts the newest five minutes are kept`() {
        var session = RecordedSession(mode: .manual)
        let minute = [UInt8](repeating: 0, count: 48_000 * 60)
        for number in 0..<7 {
            session.send(.inputAudioAppend(minute))
            session.send(.inputAudioCommit)
            session.receive(.inputAudioCommitted(itemID: "u\(number)", at: .end))
        }
        #expect(Set(session.history.sound.keys) == ["u2", "u3", "u4", "u5", "u6"])
        #expect(session.history.sound.values.allSatisfy { $0 == minute })
    }

    @Test("Five minutes of speech that nobody transcribed are all that is kept")
    func bounded() {
        var session = RecordedSession(mode: .manual)
        let minute = [UInt8](repeating: 0, count: 48_000 * 60)
        for _ in 0..<7 { session.send(.inputAudioAppend(minute)) }
        #expect(session.history.pending.count == 48_000 * SessionHistory.maximumSeconds)
        let appends = session.replay()
        #expect(
            appends.allSatisfy { if case .inputAudioAppend(let bytes) = $0 { bytes.count <= 1 << 20 } else { false } })
    }
}
