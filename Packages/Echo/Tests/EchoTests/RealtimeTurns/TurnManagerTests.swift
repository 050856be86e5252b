// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

@Suite("Turns")
struct TurnManagerTests {
    private func speaking(_ options: TurnManager.Options = .init(), createsResponse: Bool = false) -> TurnManager {
        var turns = TurnManager(
            mode: .automatic(VADConfiguration(createsResponse: createsResponse)), options: options)
        _ = turns.handle(.answerStarted, at: .zero)
        _ = turns.handle(.answerQueued, at: .zero)
        return turns
    }

    @Test("A turn: speech, its end, an answer, its end")
    func automatic() {
        var turns = TurnManager(mode: .automatic(VADConfiguration()))
        #expect(turns.handle(.speechStarted(itemID: "a"), at: .zero) == [.turnBegan(.user)])
        #expect(turns.handle(.speechStopped(itemID: "a"), at: .zero) == [])
        #expect(turns.handle(.committed(itemID: "a"), at: .zero) == [.turnEnded(.user), .requestAnswer(items: ["a"])])
        #expect(turns.handle(.committed(itemID: "a"), at: .zero) == [])
        #expect(turns.handle(.answerStarted, at: .zero) == [.turnBegan(.assistant)])
        #expect(turns.handle(.answerQueued, at: .zero) == [])
        #expect(turns.handle(.answerEnded, at: .zero) == [])
        #expect(turns.handle(.playbackFinished, at: .zero) == [.turnEnded(.assistant)])
    }

    @Test("Where the server answers by itself, nothing is asked for")
    func serverCreates() {
        var turns = TurnManager(mode: .automatic(VADConfiguration(createsResponse: true)))
        _ = turns.handle(.speechStarted(itemID: "a"), at: .zero)
        _ = turns.handle(.speechStopped(itemID: "a"), at: .zero)
        #expect(turns.handle(.committed(itemID: "a"), at: .zero) == [.turnEnded(.user)])
    }

    @Test("Speech over an answer is answered by silence at once, and a word of it interrupts")
    func interruption() {
        var turns = speaking()
        #expect(turns.handle(.speechStarted(itemID: "b"), at: .seconds(1)) == [.pausePlayback])
        #expect(turns.handle(.speechStopped(itemID: "b"), at: .milliseconds(1_300)) == [])
        #expect(turns.handle(.committed(itemID: "b"), at: .milliseconds(1_300)) == [])
        #expect(
            turns.handle(.transcriptPiece(itemID: "b", text: "Wait"), at: .seconds(2))
                == [
                    .cutAnswer, .interrupted, .turnEnded(.assistant), .turnBegan(.user), .turnEnded(.user),
                    .requestAnswer(items: ["b"]),
                ])
        #expect(turns.handle(.transcriptEnded(itemID: "b", text: "Wait."), at: .seconds(3)) == [])
    }

    @Test("Without a word in two seconds after it, the answer goes on where it stopped, and the noise is deleted")
    func falseInterruption() {
        var turns = speaking()
        _ = turns.handle(.speechStarted(itemID: "b"), at: .seconds(1))
        _ = turns.handle(.speechStopped(itemID: "b"), at: .milliseconds(1_300))
        _ = turns.handle(.committed(itemID: "b"), at: .milliseconds(1_300))
        #expect(turns.handle(.transcriptPiece(itemID: "b", text: " …"), at: .seconds(2)) == [])
        #expect(turns.deadline == .milliseconds(3_300))
        #expect(turns.advance(to: .milliseconds(3_299)) == [])
        #expect(turns.advance(to: .milliseconds(3_300)) == [.deleteItem(id: "b"), .resumePlayback])
        #expect(turns.isAnswering)
        #expect(turns.handle(.playbackFinished, at: .seconds(4)) == [])
        #expect(turns.handle(.answerEnded, at: .seconds(4)) == [.turnEnded(.assistant)])
    }

    @Test("A transcript without a word settles it sooner, and noise that is committed later is deleted then")
    func emptyTranscript() {
        var turns = speaking()
        _ = turns.handle(.speechStarted(itemID: "b"), at: .seconds(1))
        _ = turns.handle(.speechStopped(itemID: "b"), at: .milliseconds(1_300))
        #expect(turns.handle(.transcriptEnded(itemID: "b", text: nil), at: .seconds(2)) == [.resumePlayback])
        #expect(turns.handle(.committed(itemID: "b"), at: .seconds(2)) == [.deleteItem(id: "b")])
    }

    @Test("Noise before speech that is judged together with it is dismissed alone, and not answered")
    func noiseBeforeSpeech() {
        var turns = speaking()
        _ = turns.handle(.speechStarted(itemID: "b"), at: .seconds(1))
        _ = turns.handle(.speechStopped(itemID: "b"), at: .milliseconds(1_300))
        _ = turns.handle(.committed(itemID: "b"), at: .milliseconds(1_300))
        _ = turns.handle(.speechStarted(itemID: "c"), at: .milliseconds(1_500))
        #expect(turns.handle(.transcriptEnded(itemID: "b", text: ""), at: .seconds(2)) == [.deleteItem(id: "b")])
        #expect(
            turns.advance(to: .seconds(3)) == [.cutAnswer, .interrupted, .turnEnded(.assistant), .turnBegan(.user)])
        _ = turns.handle(.speechStopped(itemID: "c"), at: .seconds(3))
        #expect(
            turns.handle(.committed(itemID: "c"), at: .seconds(3)) == [.turnEnded(.user), .requestAnswer(items: ["c"])])
    }

    @Test("A transcript that comes after all of that brings the turn back")
    func lateTranscript() {
        var turns = speaking()
        _ = turns.handle(.speechStarted(itemID: "b"), at: .seconds(1))
        _ = turns.handle(.speechStopped(itemID: "b"), at: .seconds(1))
        _ = turns.handle(.committed(itemID: "b"), at: .seconds(1))
        _ = turns.advance(to: .seconds(3))
        #expect(
            turns.handle(.transcriptEnded(itemID: "b", text: "Stop!"), at: .seconds(9))
                == [
                    .cutAnswer, .interrupted, .turnEnded(.assistant), .restoreItem(id: "b", text: "Stop!"),
                    .requestAnswer(items: ["b"]),
                ])
    }

    @Test("Long speech interrupts without a word")
    func certain() {
        var turns = speaking()
        _ = turns.handle(.speechStarted(itemID: "b"), at: .seconds(1))
        #expect(
            turns.advance(to: .milliseconds(2_500))
                == [.cutAnswer, .interrupted, .turnEnded(.assistant), .turnBegan(.user)])
        _ = turns.handle(.speechStopped(itemID: "b"), at: .seconds(5))
        #expect(
            turns.handle(.committed(itemID: "b"), at: .seconds(5)) == [.turnEnded(.user), .requestAnswer(items: ["b"])])
    }

    @Test("Where answers do not go on, any speech cuts them")
    func withoutResuming() {
        var options = TurnManager.Options()
        options.resumesAnswers = false
        var turns = speaking(options)
        #expect(
            turns.handle(.speechStarted(itemID: "b"), at: .zero)
                == [.pausePlayback, .cutAnswer, .interrupted, .turnEnded(.assistant), .turnBegan(.user)])
    }

    @Test("An answer that begins while the user speaks is cut")
    func userGoesFirst() {
        var turns = TurnManager(mode: .automatic(VADConfiguration()))
        _ = turns.handle(.speechStarted(itemID: "a"), at: .zero)
        #expect(
            turns.handle(.answerStarted, at: .zero)
                == [.turnBegan(.assistant), .cutAnswer, .interrupted, .turnEnded(.assistant)])
    }

    @Test("Push to talk: the button interrupts, and what is too short is dropped")
    func manual() {
        var turns = TurnManager(mode: .manual)
        #expect(turns.handle(.turnBegins, at: .zero) == [.clearInput, .turnBegan(.user)])
        #expect(turns.handle(.turnBegins, at: .zero) == [])
        _ = turns.handle(.captured(.milliseconds(60)), at: .zero)
        #expect(turns.handle(.turnEnds, at: .zero) == [.clearInput, .tooShort, .turnEnded(.user)])
        _ = turns.handle(.turnBegins, at: .zero)
        _ = turns.handle(.captured(.milliseconds(60)), at: .zero)
        _ = turns.handle(.captured(.milliseconds(40)), at: .zero)
        #expect(turns.handle(.turnEnds, at: .zero) == [.commitInput, .turnEnded(.user), .requestAnswer(items: [])])
        #expect(turns.handle(.committed(itemID: "a"), at: .zero) == [])
        _ = turns.handle(.answerQueued, at: .zero)
        #expect(
            turns.handle(.turnBegins, at: .zero)
                == [.cutAnswer, .interrupted, .turnEnded(.assistant), .clearInput, .turnBegan(.user)])
        #expect(turns.handle(.speechStarted(itemID: "x"), at: .zero) == [])
    }

    @Test("Disabled: speech interrupts nothing, and only the program asks")
    func disabled() {
        var turns = TurnManager(mode: .disabled)
        _ = turns.handle(.answerQueued, at: .zero)
        #expect(turns.handle(.speechStarted(itemID: "a"), at: .zero) == [])
        #expect(turns.handle(.committed(itemID: "a"), at: .zero) == [])
        #expect(turns.handle(.turnEnds, at: .zero) == [.commitInput, .requestAnswer(items: [])])
        #expect(turns.handle(.interrupt, at: .zero) == [.cutAnswer, .interrupted, .turnEnded(.assistant)])
        #expect(turns.handle(.interrupt, at: .zero) == [])
        #expect(turns.deadline == nil)
    }

    @Test("Silence of both for the idle time-out is told once, until somebody speaks")
    func idle() {
        var options = TurnManager.Options()
        options.idleTimeout = .seconds(8)
        var turns = speaking(options)
        #expect(turns.deadline == nil)
        _ = turns.handle(.answerEnded, at: .seconds(1))
        _ = turns.handle(.playbackFinished, at: .seconds(2))
        #expect(turns.deadline == .seconds(10))
        #expect(turns.advance(to: .seconds(10)) == [.idleTimedOut])
        #expect(turns.deadline == nil)
        _ = turns.handle(.speechStarted(itemID: "a"), at: .seconds(11))
        #expect(turns.deadline == nil)
        _ = turns.handle(.speechStopped(itemID: "a"), at: .seconds(12))
        _ = turns.handle(.committed(itemID: "a"), at: .seconds(12))
        #expect(turns.deadline == .seconds(20))
    }
}
