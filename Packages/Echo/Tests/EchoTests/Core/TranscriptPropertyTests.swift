// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestKit
import Testing

@testable import EchoText

/// The required order and release of messages, computed with plain arrays.
private struct OrderOracle {
    struct Entry {
        var id: String
        var isReady: Bool
        var isMessage: Bool
        var hasLeft = false
    }

    /// All that was ever there, in order.
    var entries: [Entry] = []
    var released: [String] = []
    var pending: [String] { entries.filter { $0.isMessage && !$0.hasLeft }.map(\.id) }

    mutating func apply(_ step: OrderStep) {
        switch step {
        case .insert(let id, let place, let isReady, let isMessage):
            guard !entries.contains(where: { $0.id == id }) else { return }
            let index: Int =
                switch place {
                case .end: entries.count
                case .beginning: 0
                case .after(let other): entries.firstIndex { $0.id == other }.map { $0 + 1 } ?? entries.count
                }
            entries.insert(Entry(id: id, isReady: isReady, isMessage: isMessage), at: index)
        case .complete(let id): waitingMessage(id).map { entries[$0].isReady = true }
        case .remove(let id): waitingMessage(id).map { entries[$0].isMessage = false }
        }
        while let index = entries.firstIndex(where: { !$0.hasLeft }) {
            guard entries[index].isReady || !entries[index].isMessage else { return }
            entries[index].hasLeft = true
            if entries[index].isMessage { released.append(entries[index].id) }
        }
    }

    private func waitingMessage(_ id: String) -> Int? {
        entries.firstIndex { $0.id == id && $0.isMessage && !$0.hasLeft }
    }
}

private enum OrderStep {
    case insert(String, MessagePlace, isReady: Bool, isMessage: Bool)
    case complete(String)
    case remove(String)
}

@Suite("The transcript's order, against an oracle")
struct TranscriptPropertyTests {
    private func run(_ steps: [OrderStep]) throws {
        var transcript = Transcript()
        var oracle = OrderOracle()
        var told: [String] = []
        for step in steps {
            oracle.apply(step)
            let released: [Message] =
                switch step {
                case .insert(let id, let place, let isReady, let isMessage):
                    isMessage
                        ? transcript.insert(message(id, isReady), at: place)
                        : transcript.insert(.place, id: id, at: place)
                case .complete(let id): transcript.update(id) { $0.transcriptStatus = .completed } ?? []
                case .remove(let id): transcript.remove(id) ?? []
                }
            told += released.map(\.id)
            try #require(transcript.released.map(\.id) == oracle.released, "\(steps)")
            try #require(transcript.pending.map(\.id) == oracle.pending, "\(steps)")
            try #require(told == oracle.released, "\(steps)")
        }
        #expect(transcript.released.map(\.sequenceNumber) == Array(transcript.released.indices))
    }

    private func message(_ id: String, _ isReady: Bool) -> Message {
        Message(
            id: id, role: .user, text: id, transcriptStatus: isReady ? .notApplicable : .inProgress,
            createdAt: Date(timeIntervalSince1970: 0))
    }

    @Test("Every order of four messages, their transcripts, and an item that comes late")
    func allInterleavings() throws {
        var count = 0
        for order in permutations(Array(0..<6)) {
            let steps: [OrderStep] = order.map { index in
                switch index {
                case 0: .insert("a", .end, isReady: false, isMessage: true)
                case 1: .insert("b", .after("a"), isReady: true, isMessage: true)
                case 2: .insert("c", .after("a"), isReady: false, isMessage: true)
                case 3: .insert("call", .after("b"), isReady: true, isMessage: false)
                case 4: .complete("a")
                default: .remove("c")
                }
            }
            try run(steps + [.complete("a"), .complete("c"), .insert("d", .beginning, isReady: true, isMessage: true)])
            count += 1
        }
        #expect(count == 720)
    }

    @Test("Long random runs", arguments: 0..<20 as Range<UInt64>)
    func randomRuns(part: UInt64) throws {
        for seed in 0..<RealtimeSeeds.count(40) / 20 { try run(randomSteps(seed: part << 32 + seed)) }
    }

    private func randomSteps(seed: UInt64) -> [OrderStep] {
        var random = SeededGenerator(seed: seed)
        var steps: [OrderStep] = []
        for step in 0..<300 {
            let other = "\(Int.random(in: 0...max(1, step), using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<2:
                steps.append(.insert("\(step)", .end, isReady: Bool.random(using: &random), isMessage: true))
            case 2..<4:
                steps.append(.insert("\(step)", .after(other), isReady: Bool.random(using: &random), isMessage: true))
            case 4: steps.append(.insert("\(step)", .beginning, isReady: false, isMessage: true))
            case 5: steps.append(.insert("\(step)", .after(other), isReady: true, isMessage: false))
            case 6: steps.append(.remove(other))
            default: steps.append(.complete(other))
            }
        }
        return steps
    }

    private func permutations(_ values: [Int]) -> [[Int]] {
        guard values.count > 1 else { return [values] }
        return values.indices.flatMap { index in
            var rest = values
            let value = rest.remove(at: index)
            return permutations(rest).map { [value] + $0 }
        }
    }
}
