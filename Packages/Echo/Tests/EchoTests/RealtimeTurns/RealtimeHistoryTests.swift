// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

@Suite("What another session has to be told")
struct RealtimeHistoryTests {
    private func spoken(_ id: String) -> ServerEvent.Detail {
        .itemAdded(
            .message(MessageItem(id: id, role: .user, content: [.inputAudio(nil, transcript: nil)])), at: .end)
    }

    @Test("Words, answers, calls and their results, in order, under their ids")
    func items() {
        var history = RealtimeHistory(mode: .manual)
        history.send(.inputAudioAppend([1, 2]))
        history.send(.inputAudioCommit)
        history.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        history.receive(spoken("u"))
        let call = FunctionCallItem(id: "c", callID: "x", name: "weather", arguments: "{}")
        history.receive(
            .itemAdded(
                .functionCall(FunctionCallItem(id: "c", callID: "x", name: "weather", arguments: "")), at: .after("u")))
        history.receive(.itemDone(.functionCall(call), at: .after("u")))
        let output = ResponseItem.functionCallOutput(
            FunctionCallOutputItem(id: "o", callID: "x", output: .text("Sun.")))
        history.send(.itemCreate(output, at: .end))
        history.receive(.itemAdded(.message(MessageItem(id: "a", role: .assistant, content: [])), at: .after("o")))
        history.receive(.audioTranscriptDelta(AnswerPlace(responseID: "r", itemID: "a"), delta: "It is su"))
        history.receive(.transcriptCompleted(RealtimeTranscript(itemID: "u", text: "Weather?")))
        let events = history.replay()
        #expect(
            events == [
                .itemCreate(.message(MessageItem(id: "u", role: .user, text: "Weather?")), at: .end),
                .itemCreate(.functionCall(call), at: .end), .itemCreate(output, at: .end),
                .itemCreate(.message(MessageItem(id: "a", role: .assistant, text: "It is su")), at: .end),
            ])
    }

    @Test("What was said and not transcribed goes as sound, and what was deleted not at all")
    func sound() {
        var history = RealtimeHistory(mode: .manual)
        history.send(.inputAudioAppend([1, 2, 3, 4]))
        history.send(.inputAudioCommit)
        history.send(.inputAudioAppend([5, 6]))
        history.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        history.send(.itemCreate(.message(MessageItem(id: "t", role: .user, text: "Hm")), at: .end))
        history.receive(.itemDeleted(id: "t"))
        let message = MessageItem(id: "u", role: .user, content: [.inputAudio([1, 2, 3, 4], transcript: nil)])
        #expect(history.replay() == [.itemCreate(.message(message), at: .end), .inputAudioAppend([5, 6])])
    }

    @Test func `an answer that was deleted and created anew is not removed by the word that the first is gone`() {
        var history = RealtimeHistory(mode: .manual)
        history.send(.itemCreate(.message(MessageItem(id: "a", role: .assistant, text: "One two")), at: .end))
        history.send(.itemDelete(id: "a"))
        let heard = ResponseItem.message(MessageItem(id: "a", role: .assistant, text: "One"))
        history.send(.itemCreate(heard, at: .end))
        history.receive(.itemDeleted(id: "a"))
        history.receive(.itemAdded(heard, at: .end))
        #expect(history.replay() == [.itemCreate(heard, at: .end)])
        // In this session nothing is on its way to be deleted.
        history.receive(.itemDeleted(id: "a"))
        #expect(history.replay().isEmpty)
    }

    @Test("What follows something that was deleted stays where it is, also if it comes later")
    func placesOfTheDeleted() {
        func said(_ id: String, _ text: String) -> ResponseItem {
            .message(MessageItem(id: id, role: .user, text: text))
        }
        var history = RealtimeHistory(mode: .manual)
        history.send(.itemCreate(said("a", "One"), at: .end))
        history.receive(.itemAdded(.message(MessageItem(id: "b", role: .assistant, text: "No")), at: .after("a")))
        history.send(.itemDelete(id: "b"))
        history.send(.itemCreate(said("d", "Three"), at: .end))
        history.receive(.itemAdded(said("c", "Two"), at: .after("b")))
        history.receive(
            .outputItemDone(
                .message(MessageItem(id: "b", role: .assistant, text: "No")), responseID: "r", outputIndex: 0))
        #expect(
            history.replay()
                == ["a", "c", "d"].map { id in
                    .itemCreate(said(id, id == "a" ? "One" : id == "c" ? "Two" : "Three"), at: .end)
                })
        // The next session has no such item.
        history.receive(.itemAdded(said("e", "Four"), at: .after("d")))
        #expect(history.items.compactMap(\.id) == ["a", "c", "d", "e"])
    }

    @Test("A turn that was committed without an answer is committed again, and what was said after it stays after it")
    func commit() {
        var history = RealtimeHistory(mode: .manual)
        history.send(.inputAudioAppend([1, 2]))
        history.send(.inputAudioCommit)
        history.send(.inputAudioAppend([3, 4]))
        let expected: [ClientEvent.Detail] = [
            .inputAudioAppend([1, 2]), .inputAudioCommit, .inputAudioAppend([3, 4]),
        ]
        #expect(history.replay() == expected)
        #expect(history.replay() == expected)
        history.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        #expect(history.pending == [3, 4])
    }

    @Test("With a detector, silence is forgotten but for its last 45 seconds, and speech is cut where it ended")
    func detector() {
        var history = RealtimeHistory(mode: .automatic(VADConfiguration()))
        let second = [UInt8](repeating: 0, count: 48_000)
        for _ in 0..<47 { history.send(.inputAudioAppend(second)) }
        #expect(history.pending.count == RealtimeHistory.silentSeconds * 48_000)
        history.receive(.speechStarted(itemID: "u", audioStart: 46_700))
        for _ in 0..<5 { history.send(.inputAudioAppend(second)) }
        #expect(history.pending.count == 50 * 48_000)
        history.receive(.speechStopped(itemID: "u", audioEnd: 51_500))
        history.receive(.inputAudioCommitted(itemID: "u", at: .beginning))
        #expect(history.pending.count == 24_000)
        guard case .itemCreate(.message(let message), _)? = history.replay().first,
            case .inputAudio(let audio?, _)? = message.content.first
        else {
            Issue.record("no speech")
            return
        }
        #expect(audio.count == 4 * 48_000 + 38_400)
    }

    @Test("Five minutes of speech that nobody transcribed are all that is kept")
    func bounded() {
        var history = RealtimeHistory(mode: .manual)
        let minute = [UInt8](repeating: 0, count: 48_000 * 60)
        for _ in 0..<7 { history.send(.inputAudioAppend(minute)) }
        #expect(history.pending.count == 48_000 * RealtimeHistory.maximumSeconds)
        let appends = history.replay()
        #expect(
            appends.allSatisfy { if case .inputAudioAppend(let bytes) = $0 { bytes.count <= 1 << 20 } else { false } })
    }
}
