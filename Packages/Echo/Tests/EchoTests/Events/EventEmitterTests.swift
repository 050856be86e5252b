// SPDX-License-Identifier: MIT

import Dispatch
import Echo
import TestKit
import Testing

@Suite("Event emitter", .timeLimit(.minutes(5)))
struct EventEmitterTests {
    private let emitter = EventEmitter(queueLimit: 4)

    private func delta(_ number: Int) -> ConversationEvent { ConversationEvent(.assistantTextDelta("\(number)")) }

    @Test("There is an event type for each line of the specification's appendix B, and more; each event says its own")
    func types() {
        #expect(
            EventType.allCases.map(\.rawValue).prefix(17) == [
                "userStartedSpeaking", "userStoppedSpeaking", "userTranscriptionCompleted",
                "assistantStartedSpeaking", "assistantStoppedSpeaking", "assistantTextDelta", "assistantAudioDelta",
                "audioLevelChanged", "audioStatusChanged", "turnChanged", "turnEnded", "assistantInterrupted",
                "toolCallRequested", "toolResultSubmitted", "messageFinalized", "connectionStatusChanged", "error",
            ])
        #expect(
            EventType.allCases.map(\.rawValue).dropFirst(17) == [
                "outputLevelChanged", "audioRouteChanged", "audioInputEnded", "turnTimed", "usageCounted",
                "interruptionWasFalse", "answerBlocked", "modeChanged", "turnTooShort", "idleTimedOut",
                "turnTimedOut", "rateLimited",
            ])
        #expect(ConversationEvent(.turnEnded(.user)).type == .turnEnded)
        #expect(ConversationEvent(.audioLevelChanged(0.5)).type == .audioLevelChanged)
    }

    @Test("A synchronous handler gets the events of its type, in order")
    func synchronousHandler() async throws {
        let emitter = EventEmitter()
        let got = Collected<String>()
        emitter.when([.assistantTextDelta]) { event in got.append(event.text ?? "") }
        for number in 0..<100 {
            emitter.emit(delta(number))
            emitter.emit(ConversationEvent(.assistantStartedSpeaking))
        }
        #expect(try await got.first(100) == (0..<100).map(String.init))
    }

    @Test("An asynchronous handler gets the events of several types in one order")
    func asynchronousHandler() async throws {
        let emitter = EventEmitter()
        let got = Collected<EventType>()
        emitter.when([.turnEnded, .assistantTextDelta]) { event in
            await disturbOrder()
            got.append(event.type)
        }
        var expected: [EventType] = []
        for number in 0..<50 {
            emitter.emit(delta(number))
            emitter.emit(ConversationEvent(.audioLevelChanged(0.1)))
            if number % 3 == 0 { emitter.emit(ConversationEvent(.turnEnded(.assistant))) }
            expected += number % 3 == 0 ? [.assistantTextDelta, .turnEnded] : [.assistantTextDelta]
        }
        #expect(try await got.first(expected.count) == expected)
    }

    @Test("A handler that blocks its thread holds up neither who emits nor other handlers, and loses its oldest events")
    func blockingHandler() async throws {
        let wide = EventEmitter(queueLimit: 4)
        let got = Collected<String>()
        let others = Collected<String>()
        let entered = Collected<Void>()
        let gate = DispatchSemaphore(value: 0)
        let blocked = wide.when([.assistantTextDelta]) { event in
            entered.append(())
            gate.wait()
            got.append(event.text ?? "")
        }
        // More handlers than the machine has threads in Swift's pool.
        for _ in 0..<16 {
            wide.when([.turnEnded]) { _ in
                entered.append(())
                gate.wait()
            }
        }
        wide.emit(ConversationEvent(.turnEnded(.user)))
        wide.emit(delta(0))
        _ = try await entered.first(17)
        for number in 1..<10 { wide.emit(delta(number)) }
        wide.when([.messageFinalized, .userStartedSpeaking]) { _ in others.append("reached") }
        wide.emit(ConversationEvent(.userStartedSpeaking))
        #expect(try await others.first(1) == ["reached"])
        #expect(blocked.droppedEvents == 5)
        for _ in 0..<100 { gate.signal() }
        #expect(try await got.first(5) == ["0", "6", "7", "8", "9"])
    }

    @Test("An asynchronous handler that waits loses its oldest events, and the count says how many")
    func waitingHandler() async throws {
        let got = Collected<String>()
        let entered = Collected<Void>()
        let gate = Gate()
        let subscription = emitter.when([.assistantTextDelta]) { event in
            entered.append(())
            await gate.pass()
            got.append(event.text ?? "")
        }
        emitter.emit(delta(0))
        _ = try await entered.first(1)
        for number in 1..<10 { emitter.emit(delta(number)) }
        gate.open()
        #expect(try await got.first(5) == ["0", "6", "7", "8", "9"])
        #expect(subscription.droppedEvents == 5)
    }

    @Test("A cancelled subscription gets nothing more; the others do")
    func removal() async throws {
        let removed = Collected<String>()
        let kept = Collected<String>()
        let subscriptions = [
            emitter.when([.assistantTextDelta]) { removed.append($0.text ?? "") },
            emitter.when([.assistantTextDelta]) { event in
                await disturbOrder()
                removed.append(event.text ?? "")
            },
        ]
        emitter.when([.assistantTextDelta]) { kept.append($0.text ?? "") }
        emitter.emit(delta(0))
        _ = try await removed.first(2)
        for subscription in subscriptions {
            subscription.cancel()
            subscription.cancel()
        }
        emitter.emit(delta(1))
        #expect(try await kept.first(2) == ["0", "1"])
        #expect(removed.values == ["0", "0"])
    }

    @Test("A stream has all events from its making on, and drops the oldest beyond its limit, counted")
    func stream() async {
        emitter.emit(delta(0))
        let stream = emitter.events(buffering: 3)
        for number in 1..<6 { emitter.emit(delta(number)) }
        emitter.emit(ConversationEvent(.turnEnded(.assistant), conversationID: "one"))
        emitter.close()
        var types: [EventType] = []
        var last: ConversationEvent?
        for await event in stream {
            types.append(event.type)
            last = event
        }
        #expect(types == [.assistantTextDelta, .assistantTextDelta, .turnEnded])
        #expect(last?.conversationID == "one")
        #expect(stream.droppedEvents == 3)
    }

    @Test("Streams end with their emitter, and a closed emitter takes no handlers")
    func end() async {
        var emitter: EventEmitter? = EventEmitter()
        let stream = emitter?.events()
        emitter?.emit(delta(1))
        emitter = nil
        var count = 0
        if let stream { for await _ in stream { count += 1 } }
        #expect(count == 1)

        let closed = EventEmitter()
        closed.close()
        closed.when([.turnEnded]) { _ in Issue.record("called after close") }
        closed.emit(ConversationEvent(.turnEnded(.user)))
        for await _ in closed.events() { Issue.record("an event after close") }
    }

    @Test("Streams see one order, however many tasks emit")
    func oneOrder() async {
        let emitter = EventEmitter()
        let streams = (0..<16).map { _ in emitter.events(buffering: 10_000) }
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask { for number in 0..<1000 { emitter.emit(delta(task * 1000 + number)) } }
            }
        }
        emitter.close()
        var seen: [[String]] = []
        for stream in streams {
            var texts: [String] = []
            for await event in stream { texts.append(event.text ?? "") }
            seen.append(texts)
        }
        #expect(seen[0].count == 4000)
        #expect(seen.allSatisfy { $0 == seen[0] })
    }
}
