// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestKit
import Testing

@testable import Echo
@testable import EchoText

@Suite("Transcripts in order, whatever comes when")
struct TranscriptOrderPropertyTests {
    /// What really happened, of which events tell in any order.
    private struct Truth {
        enum Kind { case spoken(String?), typed(String), answer(String), call }

        var items: [(id: String, kind: Kind)] = []

        var messages: [String] {
            items.compactMap { item in if case .call = item.kind { nil } else { item.id } }
        }

        func text(_ id: String) -> String? {
            guard let item = items.first(where: { $0.id == id }) else { return nil }
            return switch item.kind {
            case .spoken(let text): text
            case .typed(let text), .answer(let text): text
            case .call: nil
            }
        }

        /// The events of each item; those of one item come in order unless `isLoose`.
        func events(failing: Set<String>) -> [[ServerEvent.Detail]] {
            items.indices.map { index in
                let id = items[index].id
                let place: MessagePlace = index == 0 ? .beginning : .after(items[index - 1].id)
                switch items[index].kind {
                case .spoken(let text):
                    var events: [ServerEvent.Detail] = [
                        .inputAudioCommitted(itemID: id, at: place),
                        .itemAdded(
                            .message(
                                MessageItem(id: id, role: .user, content: [.inputAudio(nil, transcript: nil)])),
                            at: place),
                    ]
                    if failing.contains(id) {
                        events.append(.transcriptFailed(itemID: id, contentIndex: 0, APIFailure(message: "No.")))
                    }
                    if let text {
                        events.append(.transcriptDelta(itemID: id, contentIndex: 0, delta: "part", logprobs: []))
                        // Twice, as some servers do.
                        events += Array(
                            repeating: .transcriptCompleted(RealtimeTranscript(itemID: id, text: text)), count: 2)
                    }
                    return events
                case .typed(let text):
                    return [.itemAdded(.message(MessageItem(id: id, role: .user, text: text)), at: place)]
                case .answer(let text):
                    let begun = MessageItem(id: id, role: .assistant, content: [], status: .inProgress)
                    let whole = MessageItem(
                        id: id, role: .assistant, content: [.outputAudio(nil, transcript: text)], status: .completed)
                    return [
                        .itemAdded(.message(begun), at: place),
                        .audioTranscriptDelta(AnswerPlace(responseID: "r", itemID: id), delta: "part"),
                        .outputItemDone(.message(whole), responseID: "r", outputIndex: 0),
                    ]
                case .call:
                    return [
                        .itemAdded(
                            .functionCall(FunctionCallItem(id: id, callID: id, name: "n", arguments: "{}")), at: place)
                    ]
                }
            }
        }
    }

    /// The queue's pure half, and what it released.
    private struct Queue {
        var transcript = Transcript()
        var released: [String] = []

        mutating func apply(_ changes: [Transcript.Change]) {
            for change in changes {
                let effect = transcript.apply(change, createdAt: Date(timeIntervalSince1970: 0))
                released += effect?.released.map(\.id) ?? []
            }
        }
    }

    private func check(_ truth: Truth, _ events: [ServerEvent.Detail], step: Duration, ordered: Bool, _ label: String)
        throws
    {
        var machine = TranscriptOrder()
        var queue = Queue()
        var now = Duration.zero
        for event in events {
            now += step
            queue.apply(machine.advance(to: now))
            queue.apply(machine.handle(event, at: now))
        }
        // Nothing waits for ever.
        for _ in 0..<100 {
            guard let deadline = machine.deadline else { break }
            now = max(now, deadline)
            queue.apply(machine.advance(to: now))
        }
        try #require(
            machine.deadline == nil && queue.transcript.pending.isEmpty, "\(label): \(queue.transcript.pending)")
        let ids = queue.transcript.released.map(\.id)
        try #require(ids == queue.released, "\(label)")
        try #require(ids.sorted() == truth.messages.sorted(), "\(label): \(ids)")
        if ordered { try #require(ids == truth.messages, "\(label): \(ids)") }
        for message in queue.transcript.released {
            if let text = truth.text(message.id) {
                try #require(message.text == text && message.transcriptFailure == nil, "\(label): \(message)")
            } else {
                try #require(message.transcriptFailure != nil, "\(label): \(message)")
            }
        }
    }

    @Test("All 5,040 orders of a question, its answer, and a question that is not understood")
    func allInterleavings() throws {
        let truth = Truth(items: [("u", .spoken("Hello?")), ("a", .answer("Hi.")), ("v", .spoken(nil))])
        var events = truth.events(failing: ["v"])
        // The second word on each item changes nothing in small sets.
        events[0] = [events[0][0], events[0][3]]
        events[2] = [events[2][0], events[2][2]]
        let all = events.flatMap { $0 }
        var count = 0
        try permute(all) { order in
            count += 1
            try check(truth, order, step: .milliseconds(1), ordered: true, "\(order)")
        }
        #expect(count == 5_040)
    }

    @Test("Long random conversations, in any order of events", arguments: 0..<20 as Range<UInt64>)
    func shuffled(part: UInt64) throws {
        for seed in 0..<RealtimeSeeds.count(1_000) / 20 {
            var random = SeededGenerator(seed: part << 32 + seed)
            let (truth, failing) = conversation(&random)
            let events = truth.events(failing: failing).flatMap { $0 }.shuffled(using: &random)
            try check(truth, events, step: .milliseconds(1), ordered: true, "seed \(part << 32 + seed)")
        }
    }

    @Test(
        "The same, so slowly that time-outs come first: nothing is lost or doubled", arguments: 0..<20 as Range<UInt64>)
    func slow(part: UInt64) throws {
        for seed in 0..<RealtimeSeeds.count(1_000) / 20 {
            var random = SeededGenerator(seed: part << 32 + seed)
            let (truth, failing) = conversation(&random)
            let lines = truth.events(failing: failing)
            // Each item is told of in order, as over one connection; texts come whenever they come.
            var events = lines.flatMap { $0.prefix(1) }
            for line in lines {
                var place = events.firstIndex(of: line[0]) ?? 0
                for event in line.dropFirst() {
                    place = Int.random(in: place + 1...events.count, using: &random)
                    events.insert(event, at: place)
                }
            }
            let step = Duration.milliseconds(Int.random(in: 1...3_000, using: &random))
            try check(truth, events, step: step, ordered: true, "seed \(part << 32 + seed)")
        }
    }

    private func conversation(_ random: inout SeededGenerator) -> (Truth, failing: Set<String>) {
        var truth = Truth()
        var failing: Set<String> = []
        for index in 0..<Int.random(in: 1...12, using: &random) {
            let id = "i\(index)"
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: truth.items.append((id, .spoken("said \(index)")))
            case 2:
                truth.items.append((id, .spoken(nil)))
                if Bool.random(using: &random) { failing.insert(id) }
            case 3: truth.items.append((id, .typed("typed \(index)")))
            case 4: truth.items.append((id, .answer("answer \(index)")))
            default: truth.items.append((id, .call))
            }
        }
        return (truth, failing)
    }

    private func permute<Value>(_ values: [Value], _ body: ([Value]) throws -> Void) throws {
        var values = values
        func go(_ first: Int) throws {
            if first == values.count { return try body(values) }
            for index in first..<values.count {
                values.swapAt(first, index)
                try go(first + 1)
                values.swapAt(first, index)
            }
        }
        try go(0)
    }
}
