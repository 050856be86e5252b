// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Echo

@Suite("Turns, whatever happens when")
struct TurnManagerPropertyTests {
    /// What must hold, told by actions alone.
    private struct Watch {
        var isPaused = false
        var turns: [Speaker: Bool] = [:]
        /// How often each item's answer was asked for, without those that were brought back.
        var requested: [String: Int] = [:]
        var deleted: Set<String> = []
        var restored: Set<String> = []

        mutating func take(_ action: TurnManager.Action) throws {
            switch action {
            case .pausePlayback:
                try #require(!isPaused)
                isPaused = true
            case .resumePlayback:
                try #require(isPaused)
                isPaused = false
            case .cutAnswer: isPaused = false
            case .turnBegan(let speaker):
                try #require(turns[speaker] != true)
                turns[speaker] = true
            case .turnEnded(let speaker):
                try #require(turns[speaker] == true)
                turns[speaker] = false
            case .requestAnswer(let items): for item in items { requested[item, default: 0] += 1 }
            case .deleteItem(let id): try #require(deleted.insert(id).inserted)
            case .restoreItem(let id, _):
                try #require(deleted.contains(id))
                try #require(restored.insert(id).inserted)
            case .clearInput, .commitInput, .interrupted, .tooShort, .idleTimedOut, .timedOut: break
            }
        }
    }

    private func run(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var options = TurnManager.Options()
        options.idleTimeout = Bool.random(using: &random) ? .seconds(1) : nil
        options.resumesAnswers = Int.random(in: 0..<4, using: &random) > 0
        var turns = TurnManager(mode: .automatic(VADConfiguration()), options: options)
        var watch = Watch()
        var now = Duration.zero
        var speech = 0
        var isSpeaking = false
        var toCommit: [String] = []
        var committed: [String] = []
        func feed(_ event: TurnManager.Event) throws {
            for action in turns.handle(event, at: now) { try watch.take(action) }
        }
        for _ in 0..<120 {
            now += .milliseconds(Int.random(in: 0...700, using: &random))
            for action in turns.advance(to: now) { try watch.take(action) }
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                if isSpeaking {
                    try feed(.speechStopped(itemID: "\(speech)"))
                    toCommit.append("\(speech)")
                } else {
                    speech += 1
                    try feed(.speechStarted(itemID: "\(speech)"))
                }
                isSpeaking.toggle()
            case 2, 3:
                guard !toCommit.isEmpty else { continue }
                committed.append(toCommit.removeFirst())
                try feed(.committed(itemID: committed[committed.count - 1]))
            case 4:
                if let id = committed.randomElement(using: &random) {
                    try feed(.transcriptPiece(itemID: id, text: "Yes"))
                }
            case 5:
                let text: String? = [nil, "", "No."][Int.random(in: 0..<3, using: &random)]
                if let id = committed.randomElement(using: &random) {
                    try feed(.transcriptEnded(itemID: id, text: text))
                }
            case 6, 7: try feed(.answerStarted)
            case 8: try feed(.answerQueued)
            case 9: try feed(.answerEnded)
            case 10: try feed(.playbackFinished)
            default: if Int.random(in: 0..<4, using: &random) == 0 { try feed(.interrupt) }
            }
            try #require(watch.isPaused == turns.isPaused)
            try #require((watch.turns[.assistant] ?? false) == turns.isAnswering)
        }
        if isSpeaking {
            try feed(.speechStopped(itemID: "\(speech)"))
            toCommit.append("\(speech)")
        }
        for id in toCommit { try feed(.committed(itemID: id)) }
        try feed(.answerEnded)
        for _ in 0..<10 {
            guard let deadline = turns.deadline else { break }
            now = max(now, deadline)
            for action in turns.advance(to: now) { try watch.take(action) }
        }
        try feed(.playbackFinished)
        // Nothing is stuck, and each thing that was said has one fate.
        try #require(!turns.isPaused && !turns.isAnswering && !turns.isUsersTurn)
        for id in committed + toCommit {
            let count = watch.requested[id] ?? 0
            if watch.deleted.contains(id) {
                try #require(count == (watch.restored.contains(id) ? 1 : 0), "\(id): \(count)")
            } else {
                try #require(count == 1, "\(id): \(count)")
            }
        }
    }

    @Test(
        "Pauses end, turns alternate, and all that is said is answered once or was noise",
        arguments: 0..<20 as Range<UInt64>)
    func random(part: UInt64) async throws {
        for seed in 0..<RealtimeSeeds.count(1_000) / 20 {
            do { try run(seed: part << 32 + seed) } catch {
                Issue.record("seed \(part << 32 + seed)")
                throw error
            }
            await disturbOrder()
        }
    }
}
