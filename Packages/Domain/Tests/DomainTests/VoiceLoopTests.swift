// SPDX-License-Identifier: MIT

import Domain
import TestKit
import Testing

@Suite("The loop that listens all day")
struct VoiceLoopTests {
    private let turn = TurnID()

    private func loop(followUp: Duration = .seconds(6)) -> VoiceLoop {
        VoiceLoop(configuration: .init(patience: .seconds(8), followUp: followUp))
    }

    /// A loop that says the answer to `turn`.
    private func speaking(followUp: Duration = .seconds(6)) -> VoiceLoop {
        var loop = loop(followUp: followUp)
        _ = loop.handle(.wakeWord, at: .seconds(1))
        _ = loop.handle(.question(turn), at: .seconds(3))
        _ = loop.handle(.answer(turn), at: .seconds(4))
        return loop
    }

    @Test("a whole turn, and a second one without the wake word")
    func wholeTurn() {
        var loop = loop()
        let second = TurnID()
        #expect(loop.handle(.speechBegan, at: .zero) == [], "nobody is meant before the wake word")
        #expect(loop.handle(.wakeWord, at: .seconds(1)) == [.openListener])
        #expect(loop.handle(.speechBegan, at: .seconds(2)) == [])
        #expect(loop.state == .listening(until: nil, isFollowUp: false))
        #expect(loop.handle(.question(turn), at: .seconds(3)) == [.closeListener, .answer(turn)])
        #expect(loop.handle(.answer(turn), at: .seconds(4)) == [.speak(turn)])
        #expect(loop.handle(.speechOver(turn), at: .seconds(7)) == [.openListener])
        #expect(loop.state == .listening(until: .seconds(13), isFollowUp: true))
        #expect(loop.handle(.speechBegan, at: .seconds(12)) == [])
        #expect(loop.handle(.time, at: .seconds(15)) == [], "who speaks is not cut off")
        #expect(loop.handle(.question(second), at: .seconds(16)) == [.closeListener, .answer(second)])
    }

    @Test("a button stops what is going on, and nothing else")
    func stopped() {
        var loop = loop()
        #expect(loop.handle(.stopped, at: .zero) == [])
        _ = loop.handle(.wakeWord, at: .seconds(1))
        #expect(loop.handle(.stopped, at: .seconds(2)) == [.closeListener])
        _ = loop.handle(.wakeWord, at: .seconds(3))
        _ = loop.handle(.question(turn), at: .seconds(4))
        #expect(loop.handle(.stopped, at: .seconds(5)) == [.interrupt(turn)])
        #expect(loop.phase == .idle)
        var speaking = speaking()
        #expect(speaking.handle(.stopped, at: .seconds(5)) == [.interrupt(turn)])
        #expect(speaking.handle(.speechOver(turn), at: .seconds(6)) == [])
    }

    @Test("the tone says that the wake word was heard, unless the question comes in one breath")
    func earcon() {
        var slow = loop()
        _ = slow.handle(.wakeWord, at: .seconds(1))
        #expect(slow.handle(.time, at: .milliseconds(1_299)) == [])
        #expect(slow.handle(.time, at: .milliseconds(1_300)) == [.playEarcon(.listening)])
        #expect(slow.handle(.time, at: .milliseconds(1_400)) == [], "once")

        var fast = loop()
        _ = fast.handle(.wakeWord, at: .seconds(1))
        _ = fast.handle(.speechBegan, at: .milliseconds(1_200))
        #expect(fast.handle(.time, at: .milliseconds(1_300)) == [])
    }

    @Test("silence ends a follow-up without a tone, and a call with one")
    func silence() {
        var called = loop()
        _ = called.handle(.wakeWord, at: .seconds(1))
        #expect(called.handle(.time, at: .milliseconds(8_999)) == [.playEarcon(.listening)])
        #expect(called.handle(.time, at: .seconds(9)) == [.closeListener, .playEarcon(.asleep)])
        #expect(called.state == .idle)

        var followed = speaking()
        _ = followed.handle(.speechOver(turn), at: .seconds(10))
        #expect(followed.handle(.time, at: .seconds(16)) == [.closeListener])
        #expect(followed.state == .idle)

        var single = speaking(followUp: .zero)
        #expect(single.handle(.speechOver(turn), at: .seconds(10)) == [])
        #expect(single.state == .idle)
    }

    @Test("speech cuts the answer off, and so does the wake word")
    func bargeIn() {
        var loop = speaking()
        #expect(loop.handle(.speechBegan, at: .seconds(5)) == [.interrupt(turn), .openListener])
        #expect(loop.state == .listening(until: nil, isFollowUp: false))
        #expect(loop.handle(.speechOver(turn), at: .seconds(5)) == [], "the old answer ends late")

        var called = speaking()
        #expect(called.handle(.wakeWord, at: .seconds(5)) == [.interrupt(turn), .openListener])

        var thinking = self.loop()
        _ = thinking.handle(.wakeWord, at: .zero)
        _ = thinking.handle(.question(turn), at: .seconds(1))
        #expect(thinking.handle(.wakeWord, at: .seconds(2)).first == .interrupt(turn))
        #expect(thinking.handle(.answer(turn), at: .seconds(3)) == [], "the old answer comes late")
    }

    @Test("what is no question is asked for again after a call, and passed over in a follow-up")
    func notUnderstood() {
        var called = loop()
        _ = called.handle(.wakeWord, at: .zero)
        _ = called.handle(.speechBegan, at: .seconds(1))
        #expect(called.handle(.notUnderstood, at: .seconds(3)) == [.playEarcon(.notUnderstood)])
        #expect(called.state == .listening(until: .seconds(11), isFollowUp: false))

        var followed = speaking()
        _ = followed.handle(.speechOver(turn), at: .seconds(5))
        _ = followed.handle(.speechBegan, at: .seconds(6))
        #expect(followed.handle(.notUnderstood, at: .seconds(8)) == [.closeListener])
        #expect(followed.state == .idle)
    }

    @Test("a cough gives the time to speak anew")
    func discarded() {
        var loop = loop()
        _ = loop.handle(.wakeWord, at: .zero)
        _ = loop.handle(.speechBegan, at: .seconds(7))
        #expect(loop.handle(.speechDiscarded, at: .seconds(8)) == [])
        #expect(loop.state == .listening(until: .seconds(16), isFollowUp: false))
    }

    @Test("a question that fails ends the turn with a tone")
    func failure() {
        var loop = loop()
        _ = loop.handle(.wakeWord, at: .zero)
        _ = loop.handle(.question(turn), at: .seconds(1))
        #expect(loop.handle(.noAnswer(TurnID()), at: .seconds(2)) == [])
        #expect(loop.handle(.noAnswer(turn), at: .seconds(2)) == [.playEarcon(.notUnderstood)])
        #expect(loop.state == .idle)
    }

    @Test(
        "whatever happens in whatever order: one turn at a time, and every listener that opens is closed",
        arguments: 0..<200
    )
    func anyOrder(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var loop = loop()
        var (isListenerOpen, open) = (false, Set<TurnID>())
        var now = Duration.zero
        for _ in 0..<200 {
            now += .milliseconds(Int(random.next() % 4_000))
            let turn = open.randomElement(using: &random) ?? TurnID()
            let events: [VoiceLoop.Event] = [
                .wakeWord, .speechBegan, .speechDiscarded, .question(TurnID()), .notUnderstood, .answer(turn),
                .noAnswer(turn), .speechOver(turn), .time,
            ]
            guard let event = events.randomElement(using: &random) else { continue }
            for action in loop.handle(event, at: now) {
                switch action {
                case .openListener: isListenerOpen = true
                case .closeListener: isListenerOpen = false
                case .answer(let turn): open.insert(turn)
                case .interrupt(let turn): #expect(open.remove(turn) != nil)
                case .speak(let turn): #expect(open.contains(turn))
                case .playEarcon: break
                }
            }
            switch loop.state {
            case .idle:
                #expect(!isListenerOpen)
                open = []
            case .listening: #expect(isListenerOpen)
            case .thinking(let turn), .speaking(let turn):
                #expect(open == [turn])
                #expect(!isListenerOpen)
            }
            if case .listening = loop.state { open = [] }
        }
    }
}
