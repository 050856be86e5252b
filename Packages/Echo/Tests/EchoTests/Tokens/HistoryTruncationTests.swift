// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import EchoText

@Suite("History truncation")
struct HistoryTruncationTests {
    private func call(_ id: String) -> ResponseItem {
        .functionCall(FunctionCallItem(callID: id, name: "f", arguments: "{}"))
    }

    private func result(_ id: String) -> ResponseItem {
        .functionCallOutput(FunctionCallOutputItem(callID: id, output: .text("r")))
    }

    private func thought(_ id: String) -> ResponseItem { .reasoning(ReasoningItem(id: id, encryptedContent: "x")) }

    private func newest(_ items: [ResponseItem], costs: [Int], within room: Int) -> [ResponseItem] {
        HistoryTruncation.newestIndices(items, costs: costs, within: room).map { items[$0] }
    }

    @Test("Whole turns leave, the oldest first; system messages stay")
    func turns() {
        let items: [ResponseItem] = [
            .message(.system, "rules"), .message(.user, "1"), .message(.assistant, "a"), .message(.user, "2"),
            .message(.assistant, "b"), .message(.user, "3"),
        ]
        let cut = { newest(items, costs: items.map { _ in 1 }, within: $0) }
        #expect(cut(6) == items)
        #expect(cut(5) == [items[0], items[3], items[4], items[5]])
        #expect(cut(4) == [items[0], items[3], items[4], items[5]])
        #expect(cut(3) == [items[0], items[5]])
        #expect(cut(0) == [items[0], items[5]])
    }

    @Test("A turn that is too long alone is cut after its question, never between a call and its result")
    func withinTurn() {
        let items: [ResponseItem] = [
            .message(.user, "old"), .message(.user, "question"), thought("t"), call("1"), call("2"), result("1"),
            result("2"), call("3"), result("3"),
        ]
        #expect(
            newest(items, costs: items.map { _ in 1 }, within: 5) == [items[1], items[7], items[8]])
        #expect(newest(items, costs: items.map { _ in 1 }, within: 8) == Array(items[1...]))
        #expect(
            newest(items, costs: items.map { _ in 1 }, within: 1) == [items[1], items[7], items[8]])
    }

    @Test("Whatever is cut, calls and results stay together, order stays, and the limit holds", arguments: 0..<100)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var items: [ResponseItem] = []
        for turn in 0..<Int.random(in: 1...8, using: &random) {
            if Int.random(in: 0..<6, using: &random) == 0 { items.append(.message(.developer, "rule \(turn)")) }
            items.append(.message(.user, "question \(turn)"))
            for round in 0..<Int.random(in: 0...3, using: &random) {
                if Bool.random(using: &random) { items.append(thought("\(turn)-\(round)")) }
                let ids = (0..<Int.random(in: 1...3, using: &random)).map { "\(turn)-\(round)-\($0)" }
                items += ids.map(call)
                items += ids.shuffled(using: &random).map(result)
            }
            items.append(.message(.assistant, "answer \(turn)"))
        }
        var costs: [ResponseItem: Int] = [:]
        for item in items { costs[item] = Int.random(in: 1...20, using: &random) }
        let cost = { (item: ResponseItem) in costs[item] ?? 0 }
        let room = Int.random(in: 0...150, using: &random)
        let kept = newest(items, costs: items.map(cost), within: room)

        let calls = kept.compactMap { if case .functionCall(let call) = $0 { call.callID } else { nil } }
        let results = kept.compactMap { if case .functionCallOutput(let result) = $0 { result.callID } else { nil } }
        #expect(Set(calls) == Set(results))
        let rules = items.filter { if case .message(let message) = $0 { message.role == .developer } else { false } }
        #expect(Array(kept.prefix(rules.count)) == rules)
        let places = kept.dropFirst(rules.count).compactMap(items.firstIndex(of:))
        #expect(places == places.sorted())
        #expect(kept.last == items.last)
        let questions = kept.filter { if case .message(let message) = $0 { message.role == .user } else { false } }
        #expect(!questions.isEmpty)
        // The newest group and its question stay whatever they cost.
        if kept.count > rules.count + 2 { #expect(kept.reduce(0) { $0 + cost($1) } <= max(room, 0)) }
        if kept != rules + items.filter({ !rules.contains($0) }) {
            #expect(items.reduce(0) { $0 + cost($1) } > room)
        }
    }
}
